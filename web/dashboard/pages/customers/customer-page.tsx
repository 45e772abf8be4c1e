import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useParam } from '../../address';
import { mayRun } from '../../api/access';
import type { Output } from '../../api/client';
import { useChange } from '../../api/change';
import { useRead, usePages } from '../../api/queries';
import { useStore } from '../../api/store';
import { ChatLink } from '../../parts/values/chat-link';
import { customerName } from '../../parts/values/customer-name';
import { GoTo } from '../../parts/go-to';
import { type Column, DataList } from '../../parts/lists/data-list';
import { Failure } from '../../parts/failure';
import { Reference } from '../../parts/forms/reference';
import { Facts, LoadingBlock, PageHead, Section } from '../../parts/states';
import { PhoneLink } from '../../parts/values/phone-link';
import { Badge, Money, StatusBadge, When } from '../../parts/values/values';
import { words } from '../../words/all';
import { AdjustDialog } from './adjust-dialog';
import { Ledger } from './ledger';

type Customer = Output<'get_customer'>;

export default function CustomerPage() {
  // Stays a text, because a messenger's id may exceed the safe range of a number.
  const id = useParam('customerId');
  const { role } = useStore();
  const { data, error, refetch } = useRead('get_customer', { id });
  const [isAdjusting, setAdjusting] = useState(false);
  if (!data) {
    return (
      <Stack>
        <PageHead title={words.pages.customer} />
        {error ? <Failure error={error} retry={() => void refetch()} /> : <LoadingBlock />}
      </Stack>
    );
  }
  const title = (
    <Group component="span" gap="sm" display="inline-flex">
      {customerName(data)}
      {data.isBanned && <Badge tone="red">{words.customers.banned}</Badge>}
    </Group>
  );
  return (
    <Stack>
      <PageHead title={title} tab={customerName(data)}>
        {mayRun(role, 'update_customer') && <BanButton customer={data} />}
        {mayRun(role, 'adjust_bonus') && (
          <Button onClick={() => setAdjusting(true)}>{words.customers.adjust}</Button>
        )}
      </PageHead>
      <div className="detail">
        <Stack>
          <Orders id={id} />
          <Ledger id={id} />
        </Stack>
        <Stack>
          <CustomerFacts customer={data} />
          <CustomerReference id={id} />
        </Stack>
      </div>
      {isAdjusting && <AdjustDialog customer={data} onClose={() => setAdjusting(false)} />}
    </Stack>
  );
}

function BanButton({ customer: { id, isBanned, updatedAt } }: { customer: Customer }) {
  const update = useChange('update_customer', {
    done: isBanned ? words.customers.unbannedNow : words.customers.bannedNow,
  });
  const change = () => void update.make({ id, isBanned: !isBanned }, { ifMatch: updatedAt });
  return (
    <Button variant="default" loading={update.isPending} onClick={change}>
      {isBanned ? words.customers.unban : words.customers.ban}
    </Button>
  );
}

function CustomerReference({ id }: { id: string }) {
  const { data } = useRead('GET stores/{storeId}/customers/{id}/reference', { id });
  return data ? <Reference change="set_customer_reference" of={{ id }} reference={data} /> : null;
}

/** The number that the list of customers shows: that of their newest order that has one. */
function usePhone(id: string): string | null | undefined {
  const { data } = useRead('find_customers', { text: id });
  return data?.items.find((customer) => customer.id === id)?.phone;
}

function CustomerFacts({ customer }: { customer: Customer }) {
  const { referrerId, username } = customer;
  const phone = usePhone(customer.id);
  return (
    <Section title={words.common.details}>
      <Facts
        facts={[
          [words.customers.phone, phone && <PhoneLink phone={phone} />],
          [words.customers.writeTo, username && <ChatLink username={username} />],
          [words.customers.id, customer.id],
          [words.orders.title, String(customer.orderCount)],
          [words.shopper.spent, <Money minor={customer.totalSpent} />],
          [words.customers.bonus, <Money major={customer.bonusBalance} />],
          [words.customers.owed, customer.bonusOwed > 0 && <Money major={customer.bonusOwed} />],
          [words.customers.since, <When iso={customer.createdAt} />],
          [words.customers.seen, <When iso={customer.lastSeenAt} />],
          [
            words.customers.messages,
            customer.isBotBlocked ? words.customers.botBlocked : words.customers.reachable,
          ],
          [words.customers.referrer, referrerId && <GoTo to={`customers/${referrerId}`}>{referrerId}</GoTo>],
        ]}
      />
    </Section>
  );
}

const ORDER_COLUMNS = (): Column<Output<'find_orders'>['items'][number]>[] => [
  { key: 'id', label: words.orders.order, render: (order) => `#${order.id}` },
  {
    key: 'status',
    label: words.orders.status,
    render: ({ status }) => <StatusBadge status={status} />,
    onCard: 'badge',
  },
  {
    key: 'total',
    label: words.orders.total,
    render: ({ totalPrice }) => <Money minor={totalPrice} />,
    align: 'end',
    onCard: 'head',
  },
  {
    key: 'placed',
    label: words.orders.placed,
    render: ({ createdAt }) => <When iso={createdAt} />,
    onCard: 'line',
  },
];

function Orders({ id }: { id: string }) {
  const query = usePages('find_orders', { customerId: id, take: 10 });
  const all = <GoTo to={`orders?customerId=${id}`}>{words.customers.allOrders}</GoTo>;
  return (
    <Section title={words.orders.title} actions={all}>
      <DataList
        query={query}
        columns={ORDER_COLUMNS()}
        rowKey={(order) => String(order.id)}
        rowName={(order) => words.orders.one(order.id)}
        to={(order) => `orders/${order.id}`}
        empty={{ title: words.orders.empty }}
      />
    </Section>
  );
}
