import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useSearch } from '../../address';
import { mayRun } from '../../api/access';
import { useChange } from '../../api/change';
import { useList } from '../../api/queries';
import { useStore } from '../../api/store';
import { notifyDone, notifyFailed } from '../../notify';
import { Dialog } from '../../parts/dialog';
import { GoTo } from '../../parts/go-to';
import { type Column, DataList } from '../../parts/lists/data-list';
import { PlusIcon } from '../../parts/icons';
import { RemoveDialog } from '../../parts/lists/resource';
import { RowMenu } from '../../parts/menus/row-menu';
import { PageHead } from '../../parts/states';
import { Badge, YesNo } from '../../parts/values/values';
import { words } from '../../words/all';
import type { Provider } from './provider';
import { ProviderForm } from './provider-form';

/** Whether the provider comes from a payment button of the checkout form, where it is edited. */
const isInline = ({ metadata }: Provider) => metadata.source === 'inline';

const COLUMNS = (): Column<Provider>[] => [
  { key: 'name', label: words.fields.name, render: ({ providerName }) => providerName },
  {
    key: 'token',
    label: words.paymentProviders.token,
    render: ({ hasToken, tokenHint }) => (hasToken ? `•••• ${tokenHint ?? ''}` : words.common.none),
  },
  {
    key: 'currencies',
    label: words.paymentProviders.currencies,
    render: ({ supportedCurrencies }) => supportedCurrencies.join(', '),
  },
  {
    key: 'mode',
    label: words.paymentProviders.mode,
    render: ({ isTestMode }) => (
      <Badge tone={isTestMode ? 'amber' : 'green'}>
        {isTestMode ? words.paymentProviders.test : words.paymentProviders.live}
      </Badge>
    ),
  },
  { key: 'active', label: words.fields.isActive, render: ({ isActive }) => <YesNo value={isActive} /> },
];

export default function PaymentProvidersPage() {
  const [search, setSearch] = useSearch();
  const query = useList('list_payment_providers', {});
  const editing = query.rows.find(({ id }) => id === search.edit);
  const close = () => setSearch({ new: null, edit: null });
  const create = (
    <Button leftSection={<PlusIcon />} onClick={() => setSearch({ new: '1' })}>
      {words.creates.paymentProvider}
    </Button>
  );
  return (
    <Stack>
      <PageHead title={words.pages.paymentProviders}>{create}</PageHead>
      <DataList
        query={query}
        rowKey={({ id }) => id}
        rowName={({ providerName }) => providerName}
        columns={COLUMNS()}
        actions={(provider) => <Actions {...provider} />}
        empty={{
          title: words.paymentProviders.empty,
          hint: words.paymentProviders.emptyHint,
          action: create,
        }}
      />
      {(search.new || editing) && (
        <Dialog side title={editing?.providerName ?? words.creates.paymentProvider} onClose={close}>
          {editing && (
            <Text size="sm" c="dimmed" mb="sm">
              {words.paymentProviders.keepHint}
            </Text>
          )}
          <ProviderForm key={editing?.id} provider={editing} onDone={close} />
        </Dialog>
      )}
    </Stack>
  );
}

function Actions(provider: Provider) {
  const { role } = useStore();
  const [, setSearch] = useSearch();
  const [isRemoving, setRemoving] = useState(false);
  const { id, providerName } = provider;
  if (isInline(provider)) {
    return (
      <GoTo to="checkout" underline="hover">
        {words.paymentProviders.inCheckout}
      </GoTo>
    );
  }
  const mayRemove = mayRun(role, 'delete_payment_provider');
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {makesInvoices(provider) && <TestButton id={id} name={providerName} />}
      <RowMenu
        name={providerName}
        onEdit={() => setSearch({ edit: id })}
        onRemove={mayRemove ? () => setRemoving(true) : undefined}
      />
      {isRemoving && (
        <RemoveDialog
          operation="delete_payment_provider"
          id={id}
          name={providerName}
          onClose={() => setRemoving(false)}
        />
      )}
    </Group>
  );
}

/** Others are agreed on outside the messenger, or paid elsewhere. */
const makesInvoices = ({ hasToken, supportedCurrencies, metadata }: Provider) =>
  metadata.kind !== 'agreement' && (hasToken || supportedCurrencies.includes('XTR'));

/** Asks the messenger for an invoice that nobody gets. */
function TestButton({ id, name }: { id: string; name: string }) {
  const { tryIt, tried, notTried } = words.paymentProviders;
  const { make, isPending } = useChange('test_payment_provider', {
    onDone: ({ ok, detail }) => (ok ? notifyDone(tried) : notifyFailed(new Error(`${notTried}: ${detail}`))),
  });
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={isPending}
      aria-label={`${tryIt}: ${name}`}
      onClick={() => void make({ id })}
    >
      {tryIt}
    </Button>
  );
}
