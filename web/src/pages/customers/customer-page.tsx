import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { target, useParam } from '../../address';
import { mayRun } from '../../api/access';
import type { Output } from '../../api/client';
import { useChange } from '../../api/change';
import { useRead, usePages } from '../../api/queries';
import { useStore } from '../../api/store';
import { customerName } from '../../parts/values/customer-name';
import { DataList } from '../../parts/lists/data-list';
import { Failure } from '../../parts/failure';
import { Facts, LoadingBlock, PageHead, Section } from '../../parts/states';
import { Badge, Money, StatusBadge, When } from '../../parts/values/values';
import { words } from '../../words';
import { AdjustDialog } from './adjust-dialog';

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
        <PageHead title={words.customers.one} />
        {error ? <Failure error={error} retry={() => void refetch()} /> : <LoadingBlock />}
      </Stack>
    );
  }
  return (
    <Stack>
      <PageHead
        title={
          <Group component="span" gap="sm" display="inline-flex">
            {customerName(data)}
            {data.isBanned && <Badge tone="red">{words.customers.banned}</Badge>}
          </Group>
        }
        hint={data.username && `@${data.username}`}
      >
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
        <CustomerFacts customer={data} />
      </div>
      {isAdjusting && <AdjustDialog customer={data} onClose={() => setAdjusting(false)} />}
    </Stack>
  );
}

function BanButton({ customer: { id, isBanned, updatedAt } }: { customer: Customer }) {
  const update = useChange('update_customer', {
    done: isBanned ? words.customers.unbannedNow : words.customers.bannedNow,
    undo: () => ({ id, isBanned }),
  });
  const change = () => void update.make({ id, isBanned: !isBanned }, { ifMatch: updatedAt });
  return (
    <Button variant="default" loading={update.isPending} onClick={change}>
      {isBanned ? words.customers.unban : words.customers.ban}
    </Button>
  );
}

function CustomerFacts({ customer }: { customer: Customer }) {
  const { id: storeId } = useStore();
  return (
    <Section title={words.common.details}>
      <Facts
        facts={[
          [words.customers.id, customer.id],
          [words.orders.title, String(customer.orderCount)],
          [words.customers.spent, <Money minor={customer.totalSpent} />],
          [words.customers.bonus, <Money major={customer.bonusBalance} />],
          [words.customers.since, <When iso={customer.createdAt} />],
          [words.customers.seen, <When iso={customer.lastSeenAt} />],
          [
            words.customers.messages,
            customer.isBotBlocked ? words.customers.botBlocked : words.customers.reachable,
          ],
          [
            words.customers.referrer,
            customer.referrerId && (
              <Anchor
                size="sm"
                underline="always"
                renderRoot={(props) => (
                  <Link {...target(storeId, `customers/${customer.referrerId}`)} {...props} />
                )}
              >
                {customer.referrerId}
              </Anchor>
            ),
          ],
        ]}
      />
    </Section>
  );
}

function Orders({ id }: { id: string }) {
  const { id: storeId } = useStore();
  const query = usePages('find_orders', { customerId: id, take: 10 });
  return (
    <Section
      title={words.orders.title}
      actions={
        <Anchor
          size="sm"
          underline="always"
          renderRoot={(props) => <Link {...target(storeId, `orders?customerId=${id}`)} {...props} />}
        >
          {words.customers.allOrders}
        </Anchor>
      }
    >
      <DataList
        query={query}
        columns={[
          { key: 'id', label: words.orders.order, render: (order) => `#${order.id}` },
          {
            key: 'status',
            label: words.orders.status,
            render: ({ status }) => <StatusBadge status={status} />,
          },
          {
            key: 'total',
            label: words.orders.total,
            render: ({ totalPrice }) => <Money minor={totalPrice} />,
            align: 'end',
          },
          { key: 'placed', label: words.orders.placed, render: ({ createdAt }) => <When iso={createdAt} /> },
        ]}
        rowKey={(order) => String(order.id)}
        rowName={(order) => words.orders.one(order.id)}
        to={(order) => `orders/${order.id}`}
        empty={{ title: words.orders.empty }}
      />
    </Section>
  );
}

/** The entries of the bonus ledger, newest first. */
function Ledger({ id }: { id: string }) {
  const { id: storeId } = useStore();
  const query = usePages('list_bonus_history', { customerId: id, take: 20 });
  return (
    <Section title={words.customers.ledger}>
      {query.error && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <LoadingBlock lines={3} />}
      {query.isSuccess && query.rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {words.customers.ledgerEmpty}
        </Text>
      )}
      {query.rows.length > 0 && (
        <table className="table">
          <thead>
            <tr>
              <th>{words.customers.why}</th>
              <th className="end">{words.customers.change}</th>
              <th className="end">{words.customers.balance}</th>
            </tr>
          </thead>
          <tbody>
            {query.rows.map((entry) => (
              <tr key={entry.id}>
                <td>
                  {words.customers.kinds[entry.kind]}
                  {entry.orderId !== null && (
                    <>
                      {' '}
                      <Anchor
                        size="sm"
                        underline="always"
                        renderRoot={(props) => (
                          <Link {...target(storeId, `orders/${entry.orderId}`)} {...props} />
                        )}
                      >
                        #{entry.orderId}
                      </Anchor>
                    </>
                  )}
                  <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                    {entry.explanation}
                  </Text>
                  <Text size="xs" c="dimmed" component="div" style={{ overflowWrap: 'anywhere' }}>
                    {[entry.reason, entry.by].filter(Boolean).join(' · ')} <When iso={entry.createdAt} />
                  </Text>
                </td>
                <td className="end">
                  {entry.delta > 0 && '+'}
                  <Money major={entry.delta} />
                </td>
                <td className="end">
                  <Money major={entry.balance} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {query.hasNextPage && (
        <Button
          variant="default"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {words.common.more}
        </Button>
      )}
    </Section>
  );
}
