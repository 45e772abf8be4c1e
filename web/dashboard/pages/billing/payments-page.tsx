import { Stack, Text } from '@mantine/core';
import { useSearch } from '../../address';
import type { RouteInput, RouteOutput } from '../../api/client';
import { usePages } from '../../api/queries';
import { useStore } from '../../api/store';
import { GoTo } from '../../parts/go-to';
import { choicesOf } from '../../parts/inputs/inputs-of';
import { ChoiceFilter } from '../../parts/lists/filters';
import { type Column, DataList } from '../../parts/lists/data-list';
import { minorMoney, number } from '../../parts/values/format';
import { PageHead } from '../../parts/states';
import { addressOf, contactOf } from '../../parts/values/shipping-address';
import { Badge, When } from '../../parts/values/values';
import { words } from '../../words/all';

type Payment = RouteOutput<'GET stores/{storeId}/payments'>['items'][number];
type Outcome = RouteInput<'GET stores/{storeId}/payments'>['outcome'];

const OUTCOMES = [
  'accepted',
  'unknown_order',
  'other_shopper',
  'other_currency',
  'other_amount',
  'not_pending',
] as const;

/** The payments of shoppers in the messenger, and their outcomes. */
export default function PaymentsPage() {
  const [search] = useSearch();
  const query = usePages('GET stores/{storeId}/payments', { outcome: search.outcome as Outcome });
  return (
    <Stack>
      <PageHead title={words.pages.payments} hint={words.payments.hint} />
      <ChoiceFilter
        name="outcome"
        label={words.payments.outcome}
        data={choicesOf(OUTCOMES, words.payments.outcomes)}
        maw={360}
      />
      <DataList
        query={query}
        columns={COLUMNS()}
        rowKey={({ id }) => id}
        empty={
          search.outcome
            ? { title: words.common.nothingFound, hint: words.common.nothingFoundHint }
            : { title: words.payments.empty, hint: words.payments.emptyHint }
        }
      />
    </Stack>
  );
}

const COLUMNS = (): Column<Payment>[] => [
  {
    key: 'charge',
    label: words.payments.charge,
    render: (payment) => (
      <>
        <ChargeId>{payment.chargeId}</ChargeId>
        <Payer {...payment} />
      </>
    ),
  },
  { key: 'order', label: words.orders.order, render: (payment) => <OrderLink {...payment} /> },
  { key: 'amount', label: words.payments.amount, render: (payment) => <Amount {...payment} />, align: 'end' },
  {
    key: 'outcome',
    label: words.payments.outcome,
    render: ({ outcome, refundedAt }) => (
      <>
        <Badge tone={outcome === 'accepted' ? 'green' : 'amber'}>{words.payments.outcomes[outcome]}</Badge>
        {refundedAt && <Badge tone="grey">{words.payments.refunded}</Badge>}
      </>
    ),
  },
  { key: 'at', label: words.payments.received, render: ({ receivedAt }) => <When iso={receivedAt} /> },
];

/** Has no spaces at which it could be broken, and half of a small screen's width. */
const ChargeId = ({ children }: { children: string }) => (
  <span style={{ display: 'inline-block', minWidth: '9em', overflowWrap: 'anywhere' }}>{children}</span>
);

function OrderLink({ orderId, invoicePayload }: Payment) {
  return orderId === null ? <>{invoicePayload}</> : <GoTo to={`orders/${orderId}`}>{`#${orderId}`}</GoTo>;
}

/** The messenger's id of the payer, and what was typed into the payment form. */
function Payer({ customerId, orderInfo }: Payment) {
  const typed = [...contactOf(orderInfo), ...addressOf(orderInfo)].join(', ');
  return (
    <Text size="xs" c="dimmed">
      {words.payments.payer}: {[customerId, typed].filter(Boolean).join(', ')}
    </Text>
  );
}

/**
 * The amount in the currency of the payment. If that is not the store's currency, Intl decides its decimals.
 */
function Amount({ amount, currency }: Payment) {
  const store = useStore();
  // The messenger's value is stored as it came, but Intl accepts only codes of three letters.
  if (!/^[A-Z]{3}$/i.test(currency))
    return <span className="numeric">{`${number(amount)} ${currency}`}</span>;
  const decimals =
    currency === store.currency
      ? store.currencyDecimals
      : (new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
          .maximumFractionDigits ?? 2);
  return (
    <span className="numeric">
      {minorMoney(amount, { currency, currencyDecimals: currency === 'XTR' ? 0 : decimals })}
    </span>
  );
}
