import { as, statement } from '../../../platform/database/statement.js';
import type { CashbackBlock } from '../../monetization/cashback.types.js';
import type { StoredPricing } from '../order/stored-pricing.js';

interface EarnedItem {
  productId: string;
  priceMinor: number;
  quantity: number;
  categoryKeys: (string | null)[];
}

/** The rules that an award went by, kept with its order. */
export interface CashbackTerms {
  block: CashbackBlock;
  earlierOrders: number;
}

/** Sent after the lock of the order's row. */
export const KEEP_CASHBACK_TERMS = statement(
  'keep_cashback_terms',
  `update orders o set cashback_terms = $terms where o.store_id = $store and o.id = $orderId
   and not exists (select from bonus_entries b
     where b.store_id = $store and b.order_id = $orderId and b.kind = 'cashback')`,
);

/**
 * Everything that cashback needs about an order of a customer: its lines with the names that a category rate
 * can use, the number of earlier orders, the terms of the award and what it comes to now. Old lines without a
 * stored category use the present one of their product.
 */
export const GET_EARNED = statement(
  'get_order_earned',
  `select o.created_at as placed_at, o.pricing, o.cashback_terms as terms,
     (select coalesce(sum(b.delta), 0)::text from bonus_entries b
       where b.store_id = $store and b.order_id = o.id and b.kind like 'cashback%') as "earned!",
     o.total_price as total, coalesce(o.tip_amount, 0) as "tip!",
     (select count(*) from orders e where e.store_id = $store and e.messenger_user_id = $customerId
     and e.id < o.id and e.status <> 'CANCELLED') as "earlier_orders!",
     (select coalesce(json_agg(json_build_object('productId', i.product_id, 'priceMinor', i.price, 'quantity',
     i.quantity,
         'categoryKeys', coalesce(i.category_keys, json_build_array(k.id, k.slug, k.name, p.category)))
         order by i.position), '[]')
       from order_items i
       left join products p on i.category_keys is null and p.store_id = i.store_id
       and p.product_id = i.product_id
       left join categories k on k.store_id = p.store_id and k.id = p.category_id
       where i.store_id = $store and i.order_id = o.id) as "items!"
   from orders o where o.store_id = $store and o.id = $orderId`,
  { row: as<{ pricing: StoredPricing | null; terms: CashbackTerms | null; items: EarnedItem[] }>() },
);

/**
 * Whether an order of the customer has the referrer's reward, which goes with a cancelled order
 * (docs/behaviour.md §6.4). Sent after the referrer's lock, so that it sees concurrent awards.
 */
export const FIND_REFERRAL_AWARD = statement(
  'find_referral_award',
  `select 1 as found from bonus_entries where store_id = $store and referred_id = $customerId
    and kind in ('referral_order', 'referral_reversal', 'referral_return') having sum(delta) > 0`,
);
