import { Group, Stack, Text } from '@mantine/core';
import { isWithin } from '../../api/access';
import type { Output } from '../../api/client';
import { failureInWords } from '../../api/telling/failure-words';
import { useRead } from '../../api/queries';
import { useStore } from '../../api/store';
import { Failure } from '../../parts/failure';
import { GoTo } from '../../parts/go-to';
import { FigureRow } from '../../parts/charts/figures';
import { dateTime, dayName, minorMoney, number } from '../../parts/values/format';
import {
  type Figures,
  type FiguresDay,
  PeriodSwitch,
  useFigures,
  usePeriod,
} from '../../parts/charts/period';
import { Plot } from '../../parts/charts/plot';
import { Soon } from '../../parts/deferred';
import { LoadingBlock, PageHead, Section } from '../../parts/states';
import { Money, ORDER_STATUSES, StatusBadge } from '../../parts/values/values';
import { withZone } from '../../parts/values/time-zone';
import { words } from '../../words/all';
import { FirstSale } from './first-sale/first-sale';

/** Products with this many pieces or fewer should be reordered. */
const LOW_STOCK = 5;
const MOST_PRODUCTS = 10;

/** Somebody who may not see figures is shown what is to be done in their part of the store. */
export default function OverviewPage() {
  return isWithin(useStore(), ['get_sales_report']) ? <WholeOverview /> : <OwnPart />;
}

function OwnPart() {
  const { data, error, isPending, refetch } = useRead('get_store_overview', {});
  return (
    <Stack>
      <PageHead title={words.pages.overview} />
      {error && <Failure error={error} retry={() => void refetch()} />}
      {isPending && <LoadingBlock />}
      {data && <FirstSale overview={data} />}
      {data && <ToDo overview={data} />}
    </Stack>
  );
}

function WholeOverview() {
  const overview = useRead('get_store_overview', {});
  const figures = useFigures();
  const failed = overview.error ?? figures.error;
  const isPending = overview.isPending || figures.isPending;
  // Empty axes would push the first steps out of sight.
  const hasOrders = overview.data?.counts.orders !== 0;
  const retry = () => void Promise.all([overview.refetch(), figures.refetch()]);
  return (
    <Stack>
      <PageHead title={words.pages.overview} hint={withZone()}>
        <PeriodSwitch />
      </PageHead>
      {failed && <Failure error={failed} retry={retry} />}
      {/* All parts appear at once; otherwise parts that load later would push the first ones down. */}
      {isPending ? (
        <LoadingBlock />
      ) : (
        <Soon fallback={<LoadingBlock />}>
          {overview.data && <FirstSale overview={overview.data} />}
          {hasOrders && figures.data && <FigureRow {...figures.data} />}
          {hasOrders && figures.data && <Plots days={figures.data.days} />}
          <div className="pair">
            <Stack>
              {overview.data && <ToDo overview={overview.data} />}
              {figures.data && <Statuses counts={figures.data.statusCounts} />}
            </Stack>
            <TopProducts />
          </div>
        </Soon>
      )}
    </Stack>
  );
}

function Plots({ days }: { days: FiguresDay[] }) {
  const store = useStore();
  const bars = (value: 'revenue' | 'orderCount') =>
    days.map((day) => ({ name: dayName(day.date), value: day[value] }));
  const { revenue, orderCount: orders } = words.figures.series;
  return (
    <div className="pair">
      <Section title={revenue}>
        <Plot label={revenue} bars={bars('revenue')} format={(value) => minorMoney(value, store)} />
      </Section>
      <Section title={orders}>
        <Plot label={orders} bars={bars('orderCount')} format={number} />
      </Section>
    </div>
  );
}

/** Everything that waits for somebody's action. */
function ToDo({ overview: { counts, webhook } }: { overview: Output<'get_store_overview'> }) {
  const store = useStore();
  const enabled = isWithin(store, ['find_products']);
  const low = useRead('find_products', { maxStock: LOW_STOCK, isHidden: false, take: 100 }, { enabled });
  const few = low.data?.items.length ?? 0;
  // What is not shown to a narrowed member is null.
  const pending = counts.pendingOrders ?? 0;
  const { failed = 0, failingSince, lastError } = webhook ?? {};
  const isOwed = Boolean(counts.paidNotReturned);
  const owed = useRead('GET stores/{storeId}/orders/owed-back', {}, { enabled: isOwed }).data?.items ?? [];
  const things = [
    { count: pending, to: 'orders?status=PENDING', text: words.overview.pending(pending) },
    ...owed.map(({ id, owedBack }) => ({
      count: 1,
      to: `orders/${id}`,
      text: words.overview.owedBack(id, minorMoney(owedBack, store)),
    })),
    {
      count: failingSince ? 1 : 0,
      to: 'webhooks',
      text: words.overview.notArriving(dateTime(failingSince ?? ''), failureInWords(lastError ?? '')),
    },
    { count: failed, to: 'webhooks?status=failed', text: words.overview.failed(failed) },
    { count: few, to: 'products?show=low', text: words.overview.low(few, Boolean(low.data?.nextCursor)) },
  ].filter(({ count }) => count > 0);
  return (
    <Section title={words.overview.toDo}>
      {things.length === 0 && (
        <Text size="sm" c="dimmed">
          {words.overview.nothingToDo}
        </Text>
      )}
      <ul className="plain-list">
        {things.map(({ to, text }) => (
          <Group component="li" key={to} mih={32}>
            <GoTo to={to}>{text}</GoTo>
          </Group>
        ))}
      </ul>
    </Section>
  );
}

/** Figures of the orders of the period; each leads to them. */
function Statuses({ counts }: { counts: Figures['statusCounts'] }) {
  const { first } = usePeriod();
  return (
    <Section title={words.overview.statuses} hint={words.overview.statusesHint}>
      <ul className="plain-list">
        {ORDER_STATUSES.map((status) => (
          <Group component="li" key={status} justify="space-between" mih={32} fz="sm">
            <GoTo to={`orders?status=${status}&from=${first}`}>
              <StatusBadge status={status} />
            </GoTo>
            <span className="numeric">{number(counts[status])}</span>
          </Group>
        ))}
      </ul>
    </Section>
  );
}

/** The rows of the sales report with the most revenue. */
function TopProducts() {
  const { from, to } = usePeriod();
  const { data } = useRead('get_sales_report', { from, to, groupBy: 'product', take: MOST_PRODUCTS + 1 });
  if (!data) return null;
  const products = data.rows.filter(({ key, quantity }) => key !== null && quantity > 0);
  return (
    <Section title={words.figures.topProducts}>
      {products.length === 0 ? (
        <Text size="sm" c="dimmed">
          {words.figures.nothingSold}
        </Text>
      ) : (
        <table className="table">
          <thead>
            <tr>
              <th>{words.orders.product}</th>
              <th className="end">{words.orders.quantity}</th>
              <th className="end">{words.figures.revenue}</th>
            </tr>
          </thead>
          <tbody>
            {products.slice(0, MOST_PRODUCTS).map(({ key, label, quantity, revenue }) => (
              <tr key={key}>
                <td>{label}</td>
                <td className="end">{number(quantity)}</td>
                <td className="end">
                  <Money minor={revenue} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}
