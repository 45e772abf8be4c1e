import { Text } from '@mantine/core';
import type { Output } from '../../api/client';
import { usePages } from '../../api/queries';
import { Failure } from '../../parts/failure';
import { GoTo } from '../../parts/go-to';
import { MoreButton } from '../../parts/lists/more-button';
import { LoadingBlock, Section } from '../../parts/states';
import { Money, When } from '../../parts/values/values';
import { words } from '../../words/all';
import { explained } from './explained';

type Entry = Output<'list_bonus_history'>['items'][number];

/** The entries of the bonus ledger, newest first. */
export function Ledger({ id }: { id: string }) {
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
      {query.rows.length > 0 && <Entries entries={query.rows} />}
      <MoreButton query={query} />
    </Section>
  );
}

const Entries = ({ entries }: { entries: Entry[] }) => (
  <table className="table">
    <thead>
      <tr>
        <th>{words.customers.why}</th>
        <th className="end">{words.customers.change}</th>
        <th className="end">{words.customers.balance}</th>
      </tr>
    </thead>
    <tbody>
      {entries.map((entry) => (
        <tr key={entry.id}>
          <td>
            <Why {...entry} />
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
);

const Why = ({ kind, orderId, explanation, reason, by, createdAt }: Entry) => (
  <>
    {words.customers.kinds[kind]} {orderId !== null && <GoTo to={`orders/${orderId}`}>#{orderId}</GoTo>}
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {explained(explanation)}
    </Text>
    <Text size="xs" c="dimmed" component="div" style={{ overflowWrap: 'anywhere' }}>
      {[reason, by].filter(Boolean).join(' · ')} <When iso={createdAt} />
    </Text>
  </>
);
