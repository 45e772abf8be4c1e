import { toMajor } from '../platform/money.js';
import { isUuid } from '../platform/schema/formats.js';
import { isPlainObject } from '../platform/schema/json/parse-input.js';
import type { RecordRow } from '../platform/database/store-row.entity.js';
import type { Question } from '../platform/store/question.js';
import { getRecord, type RecordKind, targetOf } from '../platform/store/records.js';
import type { StoreContext, TargetKind } from '../platform/store/store-context.js';
import { as, statement } from '../platform/database/statement.js';

const NAMES = {
  product: ['products', 'r.title'],
  variant: [
    'variants',
    `(select p.title from products p where p.store_id = r.store_id and p.id = r.product_id) || ', ' ||
      r.option_title || ' ' || r.variant_value`,
  ],
  category: ['categories', 'r.name'],
  brand: ['brands', 'r.name'],
  promocode: ['promocodes', 'r.code'],
  contest: ['contests', 'r.title'],
  campaign: ['campaigns', 'r.name'],
  payment_provider: ['payment_providers', 'r.provider_name'],
  saved_view: ['saved_views', 'r.name'],
  token: ['api_tokens', 'r.name'],
};

/** The names of records by their targets, such as `brand:<id>`. One that does not exist is left out. */
const NAMES_OF_RECORDS = statement(
  'names_of_records',
  `${Object.entries(NAMES)
    .map(
      ([kind, [table, name]]) =>
        `select '${kind}:' || r.id as target, ${name} as name from ${table} r
         where r.store_id = $store and r.id = any($ids::uuid[])`,
    )
    .join(' union all ')}
   union all select 'customer:' || c.id,
     coalesce(nullif(concat_ws(' ', c.first_name, c.last_name), ''), '@' || c.username)
   from customers c where c.store_id = $store and c.id = any($customerIds::bigint[])`,
  { row: as<{ target: string; name: string | null }>() },
);

/** Orders with what people know them by. */
const LABELS_OF_ORDERS = statement(
  'labels_of_orders',
  `select o.id, o.total_price as total, o.currency,
     coalesce(nullif(concat_ws(' ', c.first_name, c.last_name), ''), '@' || c.username) as customer
   from orders o left join customers c on c.store_id = o.store_id and c.id = o.messenger_user_id
   where o.store_id = $store and o.id = any($orderIds::bigint[])`,
  { row: as<{ total: string; customer: string | null }>() },
);

/** What a store has once. */
const ONLY_ONE: Partial<Record<TargetKind, string>> = {
  checkout: 'Checkout form',
  monetization: 'Bonus and cashback rules',
  settings: 'Store settings',
  invoice_field_config: 'Payment form',
  bot_message: 'Welcome message',
  bot: 'Bot',
  webhook: 'Webhook',
  store: 'Store',
};

/** The fields that name a record, in the order in which people would use them. */
const NAMING = ['title', 'name', 'code', 'providerName', 'variantValue', 'productId'];

/** The changed fields of a record, each as [before, after]. */
export type Pairs = Record<string, [unknown, unknown]>;

export const kindOf = (target: string) => target.slice(0, target.indexOf(':')) as TargetKind;
const idOf = (target: string) => target.slice(target.indexOf(':') + 1);

/**
 * What people know records by, by their targets, such as `brand:<id>`: "Logo T-shirt, Size S", "Order 308,
 * 33.70 USD, Emily Clark". Those that do not exist are left out.
 */
export async function labelsOf(ctx: StoreContext, targets: readonly string[]): Promise<Map<string, string>> {
  const idsOf = (kind: TargetKind, pattern: RegExp) =>
    targets.filter((target) => kindOf(target) === kind && pattern.test(idOf(target))).map(idOf);
  const ids = [...new Set(targets.map(idOf).filter(isUuid))];
  const customerIds = idsOf('customer', /^\d{1,18}$/);
  const orderIds = idsOf('order', /^\d{1,15}$/);
  const labels = new Map<string, string>();
  for (const target of targets) {
    const only = ONLY_ONE[kindOf(target)];
    if (only !== undefined) labels.set(target, only);
  }
  if (ids.length > 0 || customerIds.length > 0) {
    for (const { target, name } of await ctx.session.read(NAMES_OF_RECORDS, { ids, customerIds }))
      if (target !== null && name !== null) labels.set(target, name);
  }
  if (orderIds.length > 0) {
    for (const { id, total, currency, customer } of await ctx.session.read(LABELS_OF_ORDERS, { orderIds })) {
      const parts = [
        `Order ${id}`,
        `${toMajor(total, currency)} ${currency}`,
        ...(customer ? [customer] : []),
      ];
      labels.set(`order:${id}`, parts.join(', '));
    }
  }
  return labels;
}

/** A record that is not there, or not any more, is named by its changes, which a deletion keeps whole. */
export function labelInChanges(target: string, pairs: object): string | null {
  const values = NAMING.flatMap((field) => (pairs as Partial<Pairs>)[field] ?? []);
  const whole = Object.values(pairs as Pairs)
    .flat()
    .flatMap((value) => (isPlainObject(value) ? NAMING.map((field) => value[field]) : []));
  const name = [...values, ...whole].find((value) => typeof value === 'string' && value !== '');
  return name === undefined ? null : `${kindOf(target).replaceAll('_', ' ')} ${String(name)}`;
}

/** Rows of the audit log, or changes, each with the label that its record has now, or had. */
export async function labelled<Change extends { target: string | null; changes?: object | null }>(
  ctx: StoreContext,
  rows: readonly Change[],
): Promise<(Change & { label: string | null })[]> {
  const labels = await labelsOf(ctx, [...new Set(rows.flatMap(({ target }) => target ?? []))]);
  return rows.map((row) => ({
    ...row,
    label:
      row.target === null ? null : (labels.get(row.target) ?? labelInChanges(row.target, row.changes ?? {})),
  }));
}

/** Asks about a record of the input's `id`: "Delete the brand "Nordwind"?" */
export const aboutRecord =
  <Row extends RecordRow>(verb: string, kind: RecordKind<Row>): Question =>
  async (ctx, { id }: { id: string }) => {
    const record = await getRecord(ctx, kind, id);
    const target = targetOf(kind, record.id);
    const labels = await labelsOf(ctx, [target]);
    return `${verb} the ${kind.name.toLowerCase()} "${labels.get(target)}"?`;
  };
