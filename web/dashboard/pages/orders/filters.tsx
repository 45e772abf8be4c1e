import { Button } from '@mantine/core';
import { useSearch } from '../../address';
import type { InputOf } from '../../api/client';
import { useRead } from '../../api/queries';
import { customerName } from '../../parts/values/customer-name';
import { number } from '../../parts/values/format';
import { CrossIcon, SearchIcon } from '../../parts/icons';
import { DayFilters, OneFilter } from '../../parts/lists/light-filters';
import { FindInput } from '../../parts/lists/find-input';
import { Tabs } from '../../parts/tabs';
import { useIsGone } from '../../parts/views/gone-filters';
import { ORDER_STATUSES, type OrderStatus } from '../../parts/values/values';
import { momentsOf } from '../../parts/values/time-zone';
import { words } from '../../words';

/** Finds as find_orders does, and by payment and delivery. */
export const LIST = 'GET stores/{storeId}/orders';
type Filters = InputOf<typeof LIST>;
export const REFRESH_MS = 30_000;
const PAYMENTS = ['paid', 'not_paid', 'by_agreement', 'owed_back'] as const;
const SORTS = ['newest', 'oldest', 'recently_updated', 'least_recently_updated'] as const;

/** The label of each filter in the address that looks for what no longer exists. */
export function useGone({ status, payment, sort, customerId }: Record<string, string>) {
  const hasNoCustomer = useIsGone('get_customer', customerId);
  return {
    status: status !== undefined && !ORDER_STATUSES.includes(status as OrderStatus) && words.orders.status,
    payment: payment !== undefined && !PAYMENTS.some((one) => one === payment) && words.orders.payment,
    sort: sort !== undefined && !SORTS.includes(sort as (typeof SORTS)[number]) && words.orders.sort,
    customerId: hasNoCustomer && words.orders.shopper,
  };
}

/** The filters in the address, as the operation expects them. Days are the store's. */
export function filtersOf(search: Record<string, string>): Filters {
  return {
    text: search.text,
    customerId: search.customerId,
    statuses: ORDER_STATUSES.includes(search.status as OrderStatus)
      ? [search.status as OrderStatus]
      : undefined,
    payment: PAYMENTS.find((payment) => payment === search.payment),
    delivery: search.delivery,
    createdFrom: momentsOf(search.from).first,
    createdTo: momentsOf(search.to).last,
    sort: SORTS.find((sort) => sort === search.sort),
  };
}

/** The statuses, each with its number of the orders that were placed on the days of the address. */
export function StatusTabs() {
  const [search] = useSearch();
  const { createdFrom, createdTo } = filtersOf(search);
  const counts = useRead(
    'GET stores/{storeId}/orders/counts',
    { createdFrom, createdTo },
    { refetchInterval: REFRESH_MS },
  ).data;
  const tabs = [undefined, ...ORDER_STATUSES].map((status) => {
    const count = status ? counts?.statusCounts[status] : counts?.total;
    const label = (
      <>
        {status ? words.status[status] : words.common.all}
        {count !== undefined && <span className="tab-count">{number(count)}</span>}
      </>
    );
    return { value: status, label };
  });
  return <Tabs label={words.orders.status} name="status" tabs={tabs} />;
}

/** Filters by text, dates, payment and delivery, and the sort order of the list. */
export function FilterBar() {
  return (
    <div className="find-filters many">
      <FindInput
        aria-label={words.orders.find}
        placeholder={words.orders.find}
        leftSection={<SearchIcon size={16} />}
      />
      <DayFilters />
      <OneFilter
        name="payment"
        values={['any', ...PAYMENTS]}
        texts={words.orders.payments}
        label={words.orders.payment}
        usual="any"
      />
      <DeliveryFilter />
      <OneFilter
        name="sort"
        values={SORTS}
        texts={words.orders.sorts}
        label={words.orders.sort}
        usual="newest"
      />
    </div>
  );
}

/** The ways of delivery of the checkout form; one that it had when the address was saved stays. */
function DeliveryFilter() {
  const [{ delivery }] = useSearch();
  const { data, isPending } = useRead('GET stores/{storeId}/orders/deliveries', {});
  const ways = [...new Set([...(data?.ways ?? []), ...(delivery ? [delivery] : [])])];
  // It keeps its place until the answer, so that the list below does not move.
  if (ways.length === 0 && !isPending) return null;
  return (
    <OneFilter
      name="delivery"
      values={['', ...ways]}
      texts={{ '': words.orders.anyDelivery, ...Object.fromEntries(ways.map((way) => [way, way])) }}
      label={words.orders.delivery}
      usual=""
    />
  );
}

/** Names the shopper whose orders are listed, if they are filtered by one. */
export function CustomerFilter({ id }: { id: string }) {
  const [, setSearch] = useSearch();
  const customer = useRead('get_customer', { id }).data;
  return (
    <div>
      <Button
        variant="light"
        rightSection={<CrossIcon size={16} />}
        aria-description={words.orders.allShoppers}
        onClick={() => setSearch({ customerId: null })}
      >
        {words.orders.shopper}: {customer ? customerName(customer) : id}
      </Button>
    </div>
  );
}
