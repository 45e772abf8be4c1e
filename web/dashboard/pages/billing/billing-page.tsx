import { Group, Progress, Stack, Text, Title } from '@mantine/core';
import type { Output } from '../../api/client';
import { useRead, usePages } from '../../api/queries';
import { type Column, DataList } from '../../parts/lists/data-list';
import { Failure } from '../../parts/failure';
import { date, majorMoney, number, percent } from '../../parts/values/format';
import { Facts, LoadingBlock, PageHead, Section } from '../../parts/states';
import { Badge, type Tone } from '../../parts/values/values';
import { words } from '../../words/all';

type Status = Output<'get_billing_status'>;
type Invoice = Output<'list_invoices'>['items'][number];

const STATUS_TONES: Record<Status['subscription']['status'], Tone> = {
  active: 'green',
  past_due: 'amber',
  canceled: 'grey',
};
const INVOICE_TONES: Record<Invoice['status'], Tone> = { paid: 'green', open: 'amber', void: 'grey' };

/**
 * The plan's currency is set by the operator and may differ from the store's. Prices of plans have at most
 * two decimals.
 */
const money = (amount: number, currency: string) => majorMoney(amount, { currency, currencyDecimals: 2 });

/** The store's plan, usage and invoices. Nothing can be paid or changed here. */
export default function BillingPage() {
  const status = useRead('get_billing_status', {});
  return (
    <Stack>
      <PageHead title={words.pages.billing} hint={words.billing.hint} />
      {status.error && <Failure error={status.error} retry={() => void status.refetch()} />}
      {status.isPending && <LoadingBlock />}
      {status.data && (
        <>
          <Plan {...status.data} />
          <Usage {...status.data} />
        </>
      )}
      <Invoices />
    </Stack>
  );
}

function Plan({ plan, subscription, window, features, migration }: Status) {
  const badge = (
    <Badge tone={STATUS_TONES[subscription.status]}>{words.billing.statuses[subscription.status]}</Badge>
  );
  return (
    <Section title={plan.name} actions={badge}>
      <Facts
        facts={[
          [words.billing.price, words.billing.monthly(money(plan.price, plan.currency))],
          [words.billing.window, `${date(window.start)} – ${date(window.end)}`],
          [words.billing.since, date(subscription.startedAt)],
          [words.billing.ends, subscription.cancelAtPeriodEnd ? date(window.end) : null],
          [
            words.billing.migration,
            migration.status === 'completed' ? `${migration.fromPlan} → ${migration.toPlan}` : null,
          ],
        ]}
      />
      <Group gap="xs" component="ul" className="plain-list" aria-label={words.billing.included}>
        {(Object.keys(features) as (keyof typeof features)[]).map((name) => (
          <li key={name}>
            <Badge tone={features[name] ? 'green' : 'grey'}>
              {features[name] ? '✓' : '✗'} {words.billing.features[name]}
            </Badge>
          </li>
        ))}
      </Group>
    </Section>
  );
}

function Usage({ usage, contacts }: Status) {
  const share = usage.includedContacts === 0 ? 1 : usage.contacts / usage.includedContacts;
  const label = words.billing.used(number(usage.contacts), number(usage.includedContacts), percent(share));
  return (
    <Section title={words.billing.contacts}>
      <Text size="sm">{label}</Text>
      <Progress
        value={Math.min(share, 1) * 100}
        size="lg"
        color={share > 1 ? 'red' : undefined}
        aria-label={label}
      />
      <Facts
        facts={[
          [words.billing.active, number(contacts.active)],
          [words.billing.banned, number(contacts.banned)],
          [words.billing.blocked, number(contacts.botBlocked)],
          [
            words.billing.overage,
            `${number(usage.overageContacts)} × ${money(usage.overageUnitPrice, usage.currency)}`,
          ],
          [words.billing.total, money(usage.total, usage.currency)],
        ]}
      />
    </Section>
  );
}

const COLUMNS = (): Column<Invoice>[] => [
  { key: 'number', label: words.billing.number, render: ({ number: text }) => text },
  {
    key: 'period',
    label: words.billing.window,
    render: ({ periodStart, periodEnd }) => `${date(periodStart)} – ${date(periodEnd)}`,
  },
  {
    key: 'status',
    label: words.billing.status,
    render: ({ status }) => (
      <Badge tone={INVOICE_TONES[status]}>{words.billing.invoiceStatuses[status]}</Badge>
    ),
  },
  {
    key: 'amount',
    label: words.payments.amount,
    render: ({ amount, currency }) => money(amount, currency),
    align: 'end',
  },
  { key: 'issued', label: words.billing.issued, render: ({ issuedAt }) => date(issuedAt), wideOnly: true },
  { key: 'paid', label: words.billing.paid, render: ({ paidAt }) => date(paidAt) },
];

function Invoices() {
  const query = usePages('list_invoices', {});
  return (
    <>
      <Title order={2}>{words.billing.invoices}</Title>
      <DataList
        query={query}
        columns={COLUMNS()}
        rowKey={({ id }) => id}
        empty={{ title: words.billing.noInvoices, hint: words.billing.noInvoicesHint }}
      />
    </>
  );
}
