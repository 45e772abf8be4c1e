import { Anchor, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useGo, useSearch } from '../../../address';
import { useChange } from '../../../api/change';
import type { RouteInput, RouteOutput } from '../../../api/client';
import { useRead } from '../../../api/queries';
import { Failure } from '../../../parts/failure';
import { Form } from '../../../parts/forms/form';
import { GoTo, GoToButton } from '../../../parts/go-to';
import { LoadingBlock, PageHead, Section } from '../../../parts/states';
import { CopyButton } from '../../../parts/values/copy';
import { words } from '../../../words/all';
import { type Line, LinesInput } from './order-lines';
import { type ChosenCustomer, CustomerSelect } from './customer-select';
import { type Answers, FormAnswers, formOf } from './form-answers';
import { QuoteBox } from './quote-box';

type Shop = RouteOutput<'GET stores/{storeId}/orders/form'>;
type Placed = RouteOutput<'POST stores/{storeId}/orders'>;
type Order = Omit<RouteInput<'POST stores/{storeId}/orders'>, 'storeId'>;

/** An order for a customer who wrote or rang, or for oneself, to try the shop (`?for=me`). */
export default function NewOrderPage() {
  const form = useRead('GET stores/{storeId}/orders/form', {});
  const [placed, setPlaced] = useState<Placed | null>(null);
  return (
    <Stack maw={960}>
      <PageHead title={words.pages.newOrder} hint={words.newOrder.hint} />
      {form.error && <Failure error={form.error} retry={() => void form.refetch()} />}
      {form.isPending && <LoadingBlock />}
      {placed ? <Invoice {...placed} /> : form.data && <NewOrder shop={form.data} onPlaced={setPlaced} />}
    </Stack>
  );
}

/** The order is placed, and its invoice is for the shopper. */
function Invoice({ id, invoiceUrl }: Placed) {
  return (
    <Section title={words.newOrder.placed(id)} hint={words.newOrder.invoiceHint}>
      <Group gap="sm">
        <Anchor href={invoiceUrl!} target="_blank" rel="noreferrer">
          {invoiceUrl}
        </Anchor>
        <CopyButton text={invoiceUrl!} />
      </Group>
      <Group>
        <GoToButton to={`orders/${id}`}>{words.newOrder.open}</GoToButton>
      </Group>
    </Section>
  );
}

interface Draft {
  isForMe: boolean;
  customer: ChosenCustomer | null;
  lines: Line[];
  answers: Answers;
  address: { name: string; phone_number: string; shipping_address: string };
  promocode: string;
  paymentMethod: string;
}

const NO_ADDRESS = { name: '', phone_number: '', shipping_address: '' };

function useDraft({ paymentMethods, canOrderAsMyself, checkout }: Shop) {
  const [search] = useSearch();
  const [draft, setDraft] = useState<Draft>({
    isForMe: canOrderAsMyself && search.for === 'me',
    ...{ customer: null, lines: [], answers: {}, address: NO_ADDRESS, promocode: '' },
    paymentMethod: paymentMethods[0]?.name ?? (checkout.mode === 'native_payments' ? '' : 'cash'),
  });
  const change = (part: Partial<Draft>) => setDraft((all) => ({ ...all, ...part }));
  return [draft, change] as const;
}

/** What the service is sent. Without a form, the address stands in the order itself. */
function orderOf({ fields }: Shop['checkout'], draft: Draft, rows: Order['checkoutData']): Order {
  const { isForMe, customer, lines, address, promocode, paymentMethod } = draft;
  const typed = Object.fromEntries(Object.entries(address).filter(([, text]) => text.trim() !== ''));
  return {
    ...(isForMe ? { asMyself: true } : { customerId: customer?.id }),
    items: lines.map(({ item }) => item),
    paymentMethod,
    ...(rows?.length ? { checkoutData: rows } : {}),
    ...(fields.length === 0 && Object.keys(typed).length > 0 ? { shippingAddress: typed } : {}),
    ...(promocode.trim() ? { promocode: promocode.trim() } : {}),
  };
}

function NewOrder({ shop, onPlaced }: { shop: Shop; onPlaced: (order: Placed) => void }) {
  const go = useGo();
  const [draft, change] = useDraft(shop);
  const [isTried, setTried] = useState(false);
  const form = formOf(shop.checkout.fields, draft.answers, draft.promocode.trim());
  const asked = orderOf(shop.checkout, draft, form.readable);
  const [settled] = useDebouncedValue(asked, 300);
  const isReady = (draft.isForMe || draft.customer !== null) && draft.lines.length > 0;
  const quote = useRead('POST stores/{storeId}/orders/quote', settled, { enabled: isReady });
  const place = useChange('POST stores/{storeId}/orders', {
    done: ({ id }) => words.newOrder.placed(id),
    refusals: 'form',
    onDone: (order) =>
      order.invoiceUrl ? onPlaced(order) : go(`orders/${order.id}`, { ignoreBlocker: true }),
  });
  const submit = () => {
    setTried(true);
    if (form.wrong.size > 0) return;
    const expectedTotal = JSON.stringify(settled) === JSON.stringify(asked) ? quote.data?.total : undefined;
    void place.make({ ...orderOf(shop.checkout, draft, form.rows), expectedTotal });
  };
  return (
    <Form
      values={{ ...asked, items: draft.lines }}
      isDirty={draft.lines.length > 0 || draft.customer !== null}
      change={place}
      submit={{ label: words.newOrder.place, disabled: !isReady }}
      onSubmit={submit}
    >
      {(errorOf) => (
        <div className="detail">
          <Stack>
            <Section title={words.newOrder.forWhom}>
              <ForWhom {...{ shop, draft, change }} error={errorOf('customerId')} />
            </Section>
            <Section title={words.orders.items}>
              <LinesInput
                lines={draft.lines}
                error={errorOf('items')}
                onChange={(lines) => change({ lines })}
              />
            </Section>
            <Section title={words.newOrder.details}>
              <FormAnswers
                {...{ form, answers: draft.answers, isTried }}
                onAnswer={(id, value) => change({ answers: { ...draft.answers, [id]: value } })}
              />
              {shop.checkout.fields.length === 0 && <Address {...{ draft, change }} />}
              <TextInput
                label={words.newOrder.promocode}
                value={draft.promocode}
                error={errorOf('promocode')}
                onChange={({ currentTarget }) => change({ promocode: currentTarget.value })}
              />
              <Payment {...{ shop, draft, change }} error={errorOf('paymentMethod')} />
            </Section>
          </Stack>
          <QuoteBox quote={isReady ? quote.data : undefined} error={isReady ? quote.error : null} />
        </div>
      )}
    </Form>
  );
}

interface PartProps {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  error?: string;
}

function ForWhom({ shop, draft, change, error }: PartProps & { shop: Shop }) {
  const { forCustomer, forMe, forMeHint, link } = words.newOrder;
  return (
    <>
      <NativeSelect
        aria-label={words.newOrder.forWhom}
        data={[
          { value: 'customer', label: forCustomer },
          { value: 'me', label: forMe, disabled: !shop.canOrderAsMyself },
        ]}
        value={draft.isForMe ? 'me' : 'customer'}
        onChange={({ currentTarget }) => change({ isForMe: currentTarget.value === 'me' })}
      />
      {!shop.canOrderAsMyself && (
        <Text size="sm" c="dimmed">
          {forMeHint} <GoTo to="notices">{link}</GoTo>
        </Text>
      )}
      {!draft.isForMe && (
        <CustomerSelect value={draft.customer} error={error} onChange={(customer) => change({ customer })} />
      )}
    </>
  );
}

/** For a store whose form asks nothing. */
function Address({ draft: { address }, change }: PartProps) {
  const { recipient, phone, address: label } = words.newOrder;
  const input = (name: keyof Draft['address']) => ({
    value: address[name],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      change({ address: { ...address, [name]: currentTarget.value } }),
  });
  return (
    <>
      <TextInput label={recipient} {...input('name')} />
      <TextInput label={phone} type="tel" {...input('phone_number')} />
      <TextInput label={label} {...input('shipping_address')} />
    </>
  );
}

function Payment({ shop: { paymentMethods, checkout }, draft, change, error }: PartProps & { shop: Shop }) {
  const set = ({ currentTarget }: { currentTarget: { value: string } }) =>
    change({ paymentMethod: currentTarget.value });
  const common = { label: words.newOrder.payment, value: draft.paymentMethod, error, onChange: set };
  if (paymentMethods.length > 0)
    return (
      <NativeSelect {...common} data={paymentMethods.map(({ name, label }) => ({ value: name, label }))} />
    );
  if (checkout.mode === 'native_payments')
    return (
      <Text size="sm" c="var(--red)">
        {words.newOrder.noPayment} <GoTo to="payment-providers">{words.newOrder.addPayment}</GoTo>
      </Text>
    );
  return <TextInput {...common} description={words.newOrder.paymentHint} />;
}
