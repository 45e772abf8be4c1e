import { columns } from '../platform/database/columns.js';
import { as, statement } from '../platform/database/statement.js';

/** A subquery, so that the server keeps one plan: for an array that it knows it would plan at each call. */
const among = (type: string) => `any(array(select unnest($ids::${type}[])))`;

const NAMES = columns(['firstName', 'lastName', 'username'], 'c');

export const READ_CUSTOMERS = statement(
  'read_customer_texts',
  `select ${columns(['id', 'externalId'], 'c')}, ${NAMES}
   from customers c where c.store_id = $store and c.id = ${among('bigint')}`,
);

export const READ_PRODUCTS = statement(
  'read_product_texts',
  `select ${columns(['id', 'title', 'productId', 'tags'], 'p')}, array(
     select x.code from unnest(array[p.sku, p.barcode]) as x (code) where x.code is not null
     union
     select x.code from variants v cross join unnest(array[v.sku, v.barcode]) as x (code)
     where v.store_id = $store and v.product_id = p.id and x.code is not null) as "codes!"
   from products p where p.store_id = $store and p.id = ${among('uuid')}`,
);

/**
 * Taken before the texts of orders are read: a shopper's new name and a change of the order may come at once.
 */
export const LOCK_ORDER_DOCUMENTS = statement(
  'lock_order_documents',
  `select from search_documents d where d.store_id = $store and d.order_id = ${among('bigint')}
   order by d.order_id for update`,
);

export const READ_ORDERS = statement(
  'read_order_texts',
  `select ${columns(['id', 'externalId', 'shippingAddress', 'checkoutData'], 'o')},
     o.messenger_user_id as "customerId", ${NAMES}, array(
       select distinct x.text from order_items i
       cross join unnest(array[i.title, i.product_id, i.variant_value]) as x (text)
       where i.store_id = $store and i.order_id = o.id and x.text is not null) as "lines!",
     array(select n.phone || ' ' || n.digits from order_phones n
       where n.store_id = $store and n.order_id = o.id order by n.nth) as "phones!"
   from orders o left join customers c on c.store_id = $store and c.id = o.messenger_user_id
   where o.store_id = $store and o.id = ${among('bigint')}`,
  { row: as<{ shippingAddress: unknown; checkoutData: unknown }>() },
);

export const READ_TRACKING = statement(
  'read_tracking_texts',
  `select ${columns(['id', 'trackingNumber'], 'o')}
   from orders o where o.store_id = $store and o.id = ${among('bigint')}`,
);

export const ORDERS_OF = statement(
  'orders_of_customers',
  `select o.id from orders o where o.store_id = $store and o.messenger_user_id = any($ids::bigint[])`,
);

/** A document that is as it was is not written. */
const write = (column: string, type: string) =>
  `insert into search_documents as d (store_id, ${column}, text, pieces)
   select $store::uuid, w.id, w.text, w.pieces::integer[]
   from unnest($ids::${type}[], $texts::text[], $pieces::text[]) as w (id, text, pieces) order by w.id
   on conflict (store_id, ${column}) where ${column} is not null
   do update set text = excluded.text, pieces = excluded.pieces where d.text <> excluded.text`;

export const WRITE = {
  order: statement('write_order_documents', write('order_id', 'bigint')),
  tracking: statement('write_tracking_documents', write('tracking_of', 'bigint')),
  product: statement('write_product_documents', write('product_id', 'uuid')),
  customer: statement('write_customer_documents', write('customer_id', 'bigint')),
};

export const WRITE_PHONES = statement(
  'write_order_phones',
  `with removed as (
     delete from order_phones where store_id = $store and order_id = any($orderIds::bigint[])
       and not (order_id, nth) in (select * from unnest($ids::bigint[], $nths::bigint[]))
   )
   insert into order_phones (store_id, order_id, nth, customer_id, phone, digits)
   select $store::uuid, p.* from unnest($ids::bigint[], $nths::bigint[], $customerIds::bigint[],
     $phones::text[], $digits::text[]) p
   on conflict (store_id, order_id, nth) do update set phone = excluded.phone, digits = excluded.digits`,
);

const next = (table: string, type: string, condition = 'true') =>
  `select r.id from ${table} r where r.store_id = $store and r.id > $after::${type} and ${condition}
   order by r.id limit $take`;

/** The ids of the next records, for the documents of a whole store. */
export const NEXT = {
  customer: { of: statement('next_customers', next('customers', 'bigint')), first: '0' },
  product: {
    of: statement('next_products', next('products', 'uuid')),
    first: '00000000-0000-0000-0000-000000000000',
  },
  order: { of: statement('next_orders', next('orders', 'bigint')), first: '0' },
  tracking: {
    of: statement('next_tracked_orders', next('orders', 'bigint', 'r.tracking_number is not null')),
    first: '0',
  },
};
