import { Anchor, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { isWithin } from '../../api/access';
import { useRead } from '../../api/queries';
import { useStore } from '../../api/store';
import { GoTo } from '../../parts/go-to';
import { Reference } from '../../parts/forms/reference';
import { ChatLink } from '../../parts/values/chat-link';
import { CopyText } from '../../parts/values/copy';
import { customerName, shownName } from '../../parts/values/customer-name';
import { Facts, Section } from '../../parts/states';
import { PhoneLink } from '../../parts/values/phone-link';
import { Badge, Money, When } from '../../parts/values/values';
import { words } from '../../words';
import { DeliverTo } from './deliver-to';
import type { Order } from './order';
import { useMoneyOf } from './dialogs/money-of';
import { PaidBadge } from './paid';

const TONES = { pending: 'amber', delivered: 'green', failed: 'red' } as const;

/** The customer, the address, the payment, and what was sent to the partner's endpoint. */
export function OrderSide({ order }: { order: Order }) {
  const answers =
    order.checkoutData?.map(({ id, label, type, value }): [string, ReactNode] => [
      label ?? id ?? '',
      type === 'phone' && value ? <PhoneLink phone={value} /> : (value ?? ''),
    ]) ?? [];
  return (
    <Stack>
      <DeliverTo order={order} />
      <Shopper order={order} />
      {answers.length > 0 && (
        <Section title={words.orders.answers}>
          <Facts facts={answers} />
        </Section>
      )}
      <Tracking {...order} />
      <Payment order={order} />
      <OrderReference orderId={order.id} />
      <Deliveries orderId={order.id} />
    </Stack>
  );
}

function Tracking({ carrier, trackingNumber, trackingUrl }: Order) {
  return (
    <Section title={words.orders.tracking}>
      {carrier || trackingNumber || trackingUrl ? (
        <Facts
          facts={[
            [words.orders.carrier, carrier],
            [words.orders.trackingNumber, trackingNumber && <CopyText text={trackingNumber} />],
            [words.orders.trackingUrl, trackingUrl && <Outside address={trackingUrl} />],
          ]}
        />
      ) : (
        <Text size="sm" c="dimmed">
          {words.orders.notShipped}
        </Text>
      )}
    </Section>
  );
}

function Outside({ address }: { address: string }) {
  // Only web addresses become links, because the partner may have written anything.
  if (!/^https?:\/\//i.test(address)) return <>{address}</>;
  return (
    <Anchor href={address} target="_blank" rel="noreferrer" size="sm" underline="always">
      {address}
    </Anchor>
  );
}

function Shopper({ order: { messengerUserId: id } }: { order: Order }) {
  const mayRead = isWithin(useStore(), ['get_customer']);
  const { data: customer } = useRead('get_customer', { id }, { enabled: mayRead });
  if (!mayRead) return <ShopperName id={id} />;
  return (
    <Section title={words.orders.shopper}>
      <GoTo to={`customers/${id}`} fw={600}>
        {customer ? customerName(customer) : id}
      </GoTo>
      {customer && (
        <Facts
          facts={[
            [words.shopper.username, customer.username && <ChatLink username={customer.username} />],
            [words.orders.title, String(customer.orderCount)],
            [words.shopper.spent, <Money minor={customer.totalSpent} />],
          ]}
        />
      )}
    </Section>
  );
}

/** For members with orders alone, as lists of orders have it. */
function ShopperName({ id }: { id: string }) {
  const row = useRead('find_orders', { customerId: id, take: 1 }).data?.items[0];
  return (
    <Section title={words.orders.shopper}>
      <Text size="sm" fw={600}>
        {shownName({ id, name: row?.customerName ?? null, username: row?.username ?? null })}
      </Text>
      {row?.username && <ChatLink username={row.username} />}
    </Section>
  );
}

function Payment({ order }: { order: Order }) {
  const { data } = useRead('GET stores/{storeId}/payments', { orderId: order.id, take: 10 });
  const money = useMoneyOf(order);
  return (
    <Section title={words.orders.payment} actions={<PaidBadge status={order.status} money={money} />}>
      <Facts
        facts={[
          [words.orders.method, order.paymentMethod],
          [words.orders.total, <Money minor={order.totalPrice} />],
          [words.orders.steps.tip, order.tipAmount ? <Money minor={order.tipAmount} /> : null],
          [words.orders.wasPaid, money?.paid ? <Money minor={money.paid} /> : null],
          [words.orders.wasReturned, money?.refunded ? <Money minor={money.refunded} /> : null],
          [
            words.orders.kept,
            money?.refunded && money.paid > money.refunded && money.owedBack === 0 ? (
              <Money minor={money.paid - money.refunded} />
            ) : null,
          ],
          [words.orders.owedBack, money?.owedBack ? <Money minor={money.owedBack} /> : null],
        ]}
      />
      {data?.items.map((payment) => (
        <Text key={payment.chargeId} size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
          <Badge tone={payment.outcome === 'accepted' ? 'green' : 'amber'}>
            {words.orders.outcomes[payment.outcome]}
          </Badge>{' '}
          <When iso={payment.receivedAt} short /> · {payment.chargeId}
        </Text>
      ))}
    </Section>
  );
}

function OrderReference({ orderId }: { orderId: number }) {
  const { data } = useRead('GET stores/{storeId}/orders/{orderId}/reference', { orderId: String(orderId) });
  return data ? <Reference change="set_order_reference" of={{ orderId }} reference={data} /> : null;
}

function Deliveries({ orderId }: { orderId: number }) {
  const enabled = isWithin(useStore(), ['list_webhook_deliveries']);
  const { data } = useRead('GET stores/{storeId}/webhook/deliveries', { orderId, take: 20 }, { enabled });
  if (!data?.items.length) return null;
  return (
    <details className="surface technical">
      <summary className="summary">{words.orders.deliveries}</summary>
      {data.items.map(({ id, event, status, attempts, createdAt }) => (
        <div key={id}>
          <Text size="sm" component="div">
            <Badge tone={TONES[status]}>{words.orders.deliveryStates[status]}</Badge> {event}
          </Text>
          <Text size="xs" c="dimmed" component="div">
            <When iso={createdAt} /> · {words.orders.attempts(attempts.length)}
          </Text>
        </div>
      ))}
    </details>
  );
}
