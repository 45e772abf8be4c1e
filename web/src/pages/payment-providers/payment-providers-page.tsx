import { Anchor, Button, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { target, useSearch } from '../../address';
import { mayRun } from '../../api/access';
import { useList } from '../../api/queries';
import { useStore } from '../../api/store';
import { DataList } from '../../parts/lists/data-list';
import { PlusIcon } from '../../parts/icons';
import { FormDrawer, RemoveDialog, RowMenu } from '../../parts/lists/resource';
import { PageHead } from '../../parts/states';
import { Badge, YesNo } from '../../parts/values/values';
import { words } from '../../words';
import type { Provider } from './provider';
import { ProviderForm } from './provider-form';

/** Whether the provider comes from a payment button of the checkout form, where it is edited. */
const isInline = ({ metadata }: Provider) => metadata.source === 'inline';

export default function PaymentProvidersPage() {
  const { id: storeId, role } = useStore();
  const [search, setSearch] = useSearch();
  const [removing, setRemoving] = useState<Provider | null>(null);
  const query = useList('list_payment_providers', {});
  const editing = query.rows.find(({ id }) => id === search.edit);
  const close = () => setSearch({ new: null, edit: null });
  const create = (
    <Button leftSection={<PlusIcon />} onClick={() => setSearch({ new: '1' })}>
      {words.paymentProviders.create}
    </Button>
  );
  return (
    <Stack>
      <PageHead title={words.paymentProviders.title}>{create}</PageHead>
      <DataList
        query={query}
        rowKey={({ id }) => id}
        rowName={({ providerName }) => providerName}
        columns={[
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
          {
            key: 'active',
            label: words.fields.isActive,
            render: ({ isActive }) => <YesNo value={isActive} />,
          },
        ]}
        actions={(provider) =>
          isInline(provider) ? (
            <Anchor size="sm" renderRoot={(props) => <Link {...target(storeId, 'checkout')} {...props} />}>
              {words.paymentProviders.inCheckout}
            </Anchor>
          ) : (
            <RowMenu
              name={provider.providerName}
              onEdit={() => setSearch({ edit: provider.id })}
              onRemove={mayRun(role, 'delete_payment_provider') ? () => setRemoving(provider) : undefined}
            />
          )
        }
        empty={{
          title: words.paymentProviders.empty,
          hint: words.paymentProviders.emptyHint,
          action: create,
        }}
      />
      {(search.new || editing) && (
        <FormDrawer title={editing?.providerName ?? words.paymentProviders.create} onClose={close}>
          {editing && (
            <Text size="sm" c="dimmed" mb="sm">
              {words.paymentProviders.keepHint}
            </Text>
          )}
          <ProviderForm key={editing?.id} provider={editing} onDone={close} />
        </FormDrawer>
      )}
      {removing && (
        <RemoveDialog
          operation="delete_payment_provider"
          id={removing.id}
          name={removing.providerName}
          onClose={() => setRemoving(null)}
        />
      )}
    </Stack>
  );
}
