import { ActionIcon, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { target } from '../../address';
import { useRead } from '../../api/queries';
import { useStore } from '../../api/store';
import { DownIcon, UpIcon } from '../../parts/icons';
import { Soon } from '../../parts/deferred';
import { words } from '../../words';
import type { Order } from './order';

/** More orders than are placed in one millisecond. */
const SEVERAL = 20;

/**
 * Links to the orders placed just after and just before this one: in the list, the one above and below. They
 * are read once the order itself is shown.
 */
export function Neighbours({ order }: { order: Order }) {
  return (
    <Group component="span" display="inline-flex" gap={4} className="neighbours">
      <Soon fallback={<Links />}>
        <FoundLinks order={order} />
      </Soon>
    </Group>
  );
}

function FoundLinks({ order: { id, createdAt } }: { order: Order }) {
  const end = new Date(Date.parse(createdAt) + 1).toISOString();
  const newer = useRead('find_orders', { createdFrom: createdAt, sort: 'oldest', take: SEVERAL });
  const older = useRead('find_orders', { createdTo: end, sort: 'newest', take: SEVERAL });
  const next = ({ data }: typeof newer) => data?.items[data.items.findIndex((one) => one.id === id) + 1]?.id;
  return <Links newer={next(newer)} older={next(older)} />;
}

function Links({ newer, older }: { newer?: number; older?: number }) {
  return (
    <>
      <Neighbour id={newer} label={words.orders.newerOrder} step={-1} icon={<UpIcon size={16} />} />
      <Neighbour id={older} label={words.orders.olderOrder} step={1} icon={<DownIcon size={16} />} />
    </>
  );
}

interface NeighbourProps {
  id?: number;
  label: string;
  icon: React.ReactNode;
  /** For the keys that go through a list. */
  step: 1 | -1;
}

function Neighbour({ id, label, icon, step }: NeighbourProps) {
  const store = useStore();
  const button = {
    variant: 'subtle',
    color: 'gray',
    size: 24,
    'aria-label': label,
    'data-step': step,
    children: icon,
  };
  if (id === undefined) return <ActionIcon {...button} disabled />;
  return (
    <ActionIcon
      {...button}
      renderRoot={(props) => <Link {...target(store.id, `orders/${id}`)} {...props} />}
    />
  );
}
