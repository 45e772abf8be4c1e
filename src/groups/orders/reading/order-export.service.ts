import { Injectable } from '@nestjs/common';
import { toMajor } from '../../../platform/money.js';
import { type RowOf, as, statement } from '../../../platform/database/statement.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { everyPage } from '../../../search/find.js';
import { ExportedOrder, type ExportOrdersInput } from './order-export.dto.js';
import { OrderSearch } from './order-search.service.js';
import { columns } from '../../../platform/database/columns.js';
import type { StoredPricing } from '../order/stored-pricing.js';

/** The columns that come from other tables, or that are converted. */
const EXPORTED: (keyof ExportedOrder)[] = [
  ...(['customerId', 'customerName', 'username', 'items', 'itemCount'] as const),
  ...(['goods', 'adjustments', 'promocode', 'promocodeDiscount', 'bonus', 'refunded'] as const),
  ...(['recipient', 'phone', 'email', 'address', 'checkout'] as const),
];

/**
 * The orders with these ids, in that order. The contents of shoppers' forms are free, so they are exported
 * as text.
 */
const EXPORT_ORDERS = statement(
  'export_orders',
  `select ${columns(ExportedOrder, 'o', EXPORTED)},
     o.messenger_user_id::text as "customerId!", nullif(concat_ws(' ', c.first_name, c.last_name), '')
     as "customerName",
     c.username, l."itemCount", o.pricing, l.goods as "goods!", (
       select coalesce(sum(r.amount), 0)::text from order_refunds r
       where r.store_id = $store and r.order_id = o.id) as "refunded!",
     s.address->>'name' as recipient, s.address->>'email' as email,
     coalesce(nullif(s.address->>'phone_number', ''), (
       select n.phone from order_phones n where n.store_id = $store and n.order_id = o.id
       order by n.nth limit 1)) as phone,
     case json_typeof(s.address->'shipping_address')
       when 'object' then (select string_agg(part.value, ', ')
       from json_each_text(s.address->'shipping_address') part where part.value <> '')
       else s.address->>'shipping_address' end as address,
     case json_typeof(o.checkout_data) when 'array' then (
       select string_agg(concat(answer.value->>'label', ': ', answer.value->>'value'), '; ')
       from json_array_elements(o.checkout_data) answer
         where json_typeof(answer.value) = 'object') end as checkout, l.items as "items!"
   from unnest($ids::bigint[]) with ordinality as asked (id, nth) join orders o on o.store_id = $store
     and o.id = asked.id
   left join customers c on c.store_id = $store and c.id = o.messenger_user_id
   cross join lateral (select case json_typeof(o.shipping_address) when 'object'
   then o.shipping_address end as address) s
   cross join lateral (
     select coalesce(sum(i.quantity), 0)::integer as "itemCount!",
       coalesce(sum(i.price::numeric * i.quantity), 0)::text as goods, coalesce(string_agg(concat(
       case when i.quantity > 1 then i.quantity || 'x ' end, i.title, ' (' || i.variant_value || ')',
       ' (' || i.size || ')'), '; '
       order by i.position), '') as items
     from order_items i where i.store_id = $store and i.order_id = o.id
   ) l order by asked.nth`,
  { row: as<{ pricing: StoredPricing | null }>(), slow: true },
);

/** The orders per read. It is small, because the forms of one order may hold 32 KiB. */
const PAGE = 200;

/** Exports all orders that find_orders would find, as a table. */
@Injectable()
export class OrderExport {
  constructor(private readonly search: OrderSearch) {}

  /**
   * Reads page by page without a transaction, which a slow reader would hold open. @throws OperationError as
   * find_orders does
   */
  async *pages(ctx: StoreContext, filters: ExportOrdersInput): AsyncGenerator<ExportedOrder[]> {
    const page = (cursor?: string) => this.search.page(ctx, { ...filters, take: PAGE, cursor });
    for await (const items of everyPage(page)) {
      const rows = await ctx.session.read(EXPORT_ORDERS, { ids: items.map(({ id }) => id) });
      yield rows.map(exported);
    }
  }
}

/** The amounts add up to the total: what nothing else explains is an adjustment, as in get_order_pricing. */
function exported({ pricing, ...row }: RowOf<typeof EXPORT_ORDERS>): ExportedOrder {
  const major = (amount: bigint | string) => toMajor(amount, row.currency);
  const discount = BigInt(pricing?.promocode?.discount ?? 0);
  const bonus = BigInt(pricing?.bonus ?? 0);
  const paid = BigInt(row.totalPrice) - BigInt(row.tipAmount ?? 0);
  return {
    ...row,
    goods: major(row.goods),
    adjustments: major(paid + discount + bonus - BigInt(row.goods)),
    promocode: pricing?.promocode?.code ?? null,
    promocodeDiscount: major(discount),
    bonus: major(bonus),
    totalPrice: major(row.totalPrice),
    tipAmount: row.tipAmount === null ? null : major(row.tipAmount),
    refunded: major(row.refunded),
  };
}
