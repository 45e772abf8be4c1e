import { columns } from '../../../platform/database/columns.js';
import { MAX_TOTAL } from '../../../platform/schema/pages/page.js';
import { type Statement, statement } from '../../../platform/database/statement.js';
import type { Statements } from '../../../platform/database/statements.generated.js';
import { type Sort, SORTS } from '../../../platform/schema/pages/sort-cursor.js';
import { HAS_DIGITS } from '../../customers/finding/phone-digits.js';
import { REFUNDED, refundedOf } from './payment/order-payment.statements.js';
import { FoundOrder } from './order-search.dto.js';

/** How many lines of an order are shown, and how many characters of a title. */
const SHOWN_LINES = 3;
const SHOWN_TITLE = 40;

/** The order in which a list of orders is read: by a time and the id, or by the id alone. */
interface Walk {
  /** SQL of the condition that row `o` comes after the cursor, which is `$afterTime` and `$afterId`. */
  behind: string;
  order: (row: string) => string;
  /** The order within a status. It includes the status, so that only the index of status and key fits. */
  inStatus: string;
}

const byTime = (column: string, isRising: boolean): Walk => ({
  behind: `(o.${column}, o.id) ${isRising ? '>' : '<'} ($afterTime::timestamptz, $afterId::bigint)`,
  order: (row) => `${row}.${column}${isRising ? '' : ' desc'}, ${row}.id${isRising ? '' : ' desc'}`,
  inStatus: isRising ? `o.status, o.${column}, o.id` : `o.status desc, o.${column} desc, o.id desc`,
});
const byId = (isRising: boolean): Walk => ({
  behind: `o.id ${isRising ? '>' : '<'} $afterId::bigint`,
  order: (row) => (isRising ? `${row}.id` : `${row}.id desc`),
  // The index orders_by_status is sorted by descending id.
  inStatus: isRising ? 'o.status desc, o.id' : 'o.status, o.id desc',
});

const BY_UPDATE: Record<'recently_updated' | 'least_recently_updated', Walk> = {
  recently_updated: byTime('updated_at', false),
  least_recently_updated: byTime('updated_at', true),
};
/** For all orders of a store: along the indexes orders_by_creation and orders_by_update. */
const BY_TIME: Record<Sort, Walk> = {
  newest: byTime('created_at', false),
  oldest: byTime('created_at', true),
  ...BY_UPDATE,
};
/** For the orders of a customer or a product, whose indexes are by id. Ids rise with the time of creation. */
const BY_ID: Record<Sort, Walk> = { newest: byId(false), oldest: byId(true), ...BY_UPDATE };

const FILTER = `o.created_at >= $createdFrom::timestamptz and o.created_at <= $createdTo::timestamptz
  and o.updated_at >= $updatedFrom::timestamptz and o.updated_at <= $updatedTo::timestamptz`;

const COMPUTED = ['customerId', 'customerName', 'username', 'itemCount', 'items', ...REFUNDED] as const;

/** SQL of the fields that a page shows of the orders `p`. */
const page = (rows: string, { order }: Walk) => `
  select ${columns(FoundOrder, 'p', COMPUTED)}, ${refundedOf('p')},
    p.messenger_user_id::text as "customerId!", nullif(concat_ws(' ', c.first_name, c.last_name), '')
    as "customerName", c.username,
    l."itemCount", l.items as "items!"
  from (${rows}) p
  left join customers c on c.store_id = $store and c.id = p.messenger_user_id
  cross join lateral (
    select coalesce(sum(i.quantity), 0)::integer as "itemCount!", concat(
      string_agg(concat(case when i.quantity > 1 then i.quantity || 'x ' end,
        case when length(i.title) > ${SHOWN_TITLE} then substr(i.title, 1, ${SHOWN_TITLE - 1}) || '…'
        else i.title end,
        ' (' || i.variant_value || ')'), ', ' order by i.nth) filter (where i.nth <= ${SHOWN_LINES}),
      case when count(*) > ${SHOWN_LINES} then ' +' || count(*) - ${SHOWN_LINES} || ' more' end) as items
    from (select n.*, row_number() over (order by n.position) as nth from order_items n
      where n.store_id = $store and n.order_id = p.id) i
  ) l order by ${order('p')}`;

/** The first rows of each status, along the index of status and time, and the first of those. */
const merged = (walk: Walk, most: string, filter = ` and ${FILTER}`) => `
  select m.* from unnest($statuses::text[]) as s (status) cross join lateral (
    select o.* from orders o where o.store_id = $store and o.status = s.status and ${walk.behind}${filter}
    order by ${walk.inStatus} limit ${most}
  ) m order by ${walk.order('m')} limit ${most}`;

const TITLED = (text: string) => `split_part(${text}, E'\\n', 1) || E'\\n' || split_part(${text}, E'\\n', 2)`;
const CURRENT = TITLED('product_search_text(q.search_text, q.title, q.product_id, q.tags)');
const FORMER = TITLED('product_search_text(f.search_text, f.title, f.product_id, null)');

/**
 * SQL of whether order `o` contains the words of `$text`, those of `$address` in its address, or a phone
 * number with `$digits`, or has the external id `$externalId`. All are null if there is no text.
 */
const HAS_TEXT = `($text?::text is null or o.id::text = ltrim($text?, '#')
  or o.external_id = $externalId?
  or lower(o.tracking_number) like substr(search_pattern($text?), 2)
  or exists (select from order_phones p where p.store_id = $store and p.order_id = o.id and ${HAS_DIGITS})
  or exists (select from order_addresses a where a.store_id = $store and a.order_id = o.id
  and a.search_text like all (address_patterns($address?)))
  or exists (select from customers t where t.store_id = $store and t.id = o.messenger_user_id
  and t.search_text like all (customer_patterns($text?)))
  or exists (select from order_items i
    left join products q on q.store_id = $store and q.product_id = i.product_id
    left join former_titles f on f.store_id = $store
    and md5(f.product_id || E'\\n' || f.title) = md5(i.product_id || E'\\n' || i.title)
    cross join (
      select array(select search_pattern(word) from unnest(search_words($text?)) word) as patterns
    ) w
    where i.store_id = $store and i.order_id = o.id
    and (${CURRENT} like all (w.patterns) or ${FORMER} like all (w.patterns))))`;

/** SQL of whether order `o` contains one of the products `$containing`, unless that is null. */
const CONTAINS = `($containing?::text[] is null or exists (select from order_items g
  where g.store_id = $store and g.order_id = o.id and g.product_id = any($containing?)))`;

/** One statement per sort. */
const each = <Name extends keyof Statements>(
  name: (sort: Sort) => Name,
  text: (sort: Sort) => string,
  slow = true,
) =>
  Object.fromEntries(SORTS.map((sort) => [sort, statement(name(sort), text(sort), { slow })])) as Record<
    Sort,
    Statement<Statements[Name]>
  >;

/** All orders. */
export const FIND_ALL = each(
  (sort) => `find_orders_${sort}`,
  (sort) => page(merged(BY_TIME[sort], '$take'), BY_TIME[sort]),
  false,
);

/** The orders of these rows that contain the text. */
const near = (rows: string, walk: Walk) =>
  page(`select o.* from (${rows}) o where ${HAS_TEXT} order by ${walk.order('o')} limit $take`, walk);

/**
 * Those of the next `$window` orders that contain the text. Bounds of times have statements of their own:
 * where there are none, the planner would take them for the best conditions.
 */
export const FIND_NEAR = each(
  (sort) => `find_orders_near_${sort}`,
  (sort) => near(merged(BY_ID[sort], '$window', ''), BY_ID[sort]),
);
export const FIND_NEAR_BETWEEN = each(
  (sort) => `find_orders_near_between_${sort}`,
  (sort) => near(merged(BY_ID[sort], '$window'), BY_ID[sort]),
);

/**
 * The union of the orders of customers, of products (external ids) and with these ids; each may be null. They
 * must also contain one of the products `$containing` (external ids of one product), and the text, unless
 * these are null.
 */
export const FIND_OF = each(
  (sort) => `find_orders_of_${sort}`,
  (sort) => {
    const walk = BY_ID[sort];
    const isById = sort === 'newest' || sort === 'oldest';
    const rest = `${FILTER} and o.status = any($statuses::text[]) and ${walk.behind} and ${HAS_TEXT}
      and ${CONTAINS}`;
    // Each customer and product is read along its own index, only as far as the page needs.
    const most = isById ? `order by ${walk.order('o')} limit $take` : '';
    const posting = sort === 'newest' ? 'i.order_id desc' : 'i.order_id';
    const next =
      { newest: 'and i.order_id < $afterId::bigint', oldest: 'and i.order_id > $afterId::bigint' }[
        sort as 'newest'
      ] ?? '';
    return page(
      `select o.* from (
       select x.id from unnest($customerIds?::bigint[]) as w (customer_id) cross join lateral (
         select o.id from orders o where o.store_id = $store and o.messenger_user_id = w.customer_id
           and ${rest} ${most}
       ) x
       union
       select x.id from unnest($productIds?::text[]) as w (product_id) cross join lateral (
         select distinct i.order_id as id from order_items i join orders o on o.store_id = $store
           and o.id = i.order_id
         where i.store_id = $store and i.product_id = w.product_id ${next} and ${rest}
         ${isById ? `order by ${posting} limit $take` : ''}
       ) x
       union
       select o.id from unnest($ids?::bigint[]) as w (id) join orders o on o.store_id = $store and o.id = w.id
         where ${rest}
     ) found join orders o on o.store_id = $store and o.id = found.id order by ${walk.order('o')}
     limit $take`,
      walk,
    );
  },
);

/**
 * For bounds of the time by which the list is not sorted: uses whichever index fits, and sorts the result.
 */
export const FIND_BETWEEN = each(
  (sort) => `find_orders_between_${sort}`,
  (sort) => {
    const walk = BY_ID[sort];
    return page(
      `select o.* from orders o where o.store_id = $store and o.status = any($statuses::text[]) and ${FILTER}
        and ${walk.behind}
       and ${HAS_TEXT} order by ${walk.order('o')} limit $take`,
      walk,
    );
  },
);

export const RESOLVE_TEXT = statement(
  'resolve_order_text',
  `select r.customers, r.products, r.orders || array(
     select o.id from orders o where o.store_id = $store and o.external_id = $externalId
     union select p.order_id from order_phones p where p.store_id = $store and ${HAS_DIGITS}
     union select a.id from find_addresses($store::uuid, $address?) as a (id)
   ) as orders from find_order_text($store::uuid, $text) r`,
  { slow: true },
);

/** SQL of a total: at most one more than the highest exact one. */
const total = (rows: string) =>
  `select count(*)::integer as "total!" from (${rows} limit ${MAX_TOTAL + 1}) found`;

/** The orders of a store, or some statuses of them, from an index alone. */
export const COUNT_ALL = statement(
  'count_store_orders',
  total('select from orders o where o.store_id = $store and o.status = any($statuses::text[])'),
);

export const COUNT_BETWEEN = statement(
  'count_orders_between',
  total(`select from orders o
    where o.store_id = $store and o.status = any($statuses::text[]) and ${FILTER}`),
  { slow: true },
);

/** Reads every order between the bounds: for a text, if these orders are few. */
export const COUNT_TEXT_BETWEEN = statement(
  'count_orders_with_text_between',
  total(`select from orders o where o.store_id = $store and o.status = any($statuses::text[]) and ${FILTER}
    and ${HAS_TEXT}`),
  { slow: true },
);

export const COUNT_OF_CUSTOMER = statement(
  'count_orders_of_customer',
  total(`select from orders o where o.store_id = $store and o.messenger_user_id = $customerId::bigint
    and o.status = any($statuses::text[]) and ${FILTER} and ${HAS_TEXT} and ${CONTAINS}`),
  { slow: true },
);

/** An order is counted at its first line with the product. */
export const COUNT_OF_PRODUCT = statement(
  'count_orders_of_product',
  total(`select from order_items i join orders o on o.store_id = $store and o.id = i.order_id
    where i.store_id = $store and i.product_id = any($productIds::text[])
      and not exists (select from order_items e where e.store_id = $store and e.order_id = i.order_id
      and e.position < i.position and e.product_id = any($productIds))
      and o.status = any($statuses::text[]) and ${FILTER} and ${HAS_TEXT}`),
  { slow: true },
);

export const COUNT_TEXT = statement(
  'count_orders_with_text',
  `select count_found_orders($store::uuid, $text, $address?, $externalId, $number?::bigint, $digits?,
     $shorter?::text[], $statuses::text[], $createdFrom::timestamptz, $createdTo::timestamptz,
     $updatedFrom::timestamptz, $updatedTo::timestamptz, ${MAX_TOTAL + 1}) as "total!"`,
  { slow: true },
);

export const IS_CUSTOMER = statement(
  'is_customer',
  `select from customers c where c.store_id = $store and c.id = $customerId`,
);
