import type { KeptChange } from '../../platform/call/kept-changes.service.js';
import type { AuditDraft } from '../../platform/store/store-context.js';
import { MADE, type Made } from './made-records.statements.js';
import { RESTORED, type Restored } from './restored-records.statements.js';

type Changes = NonNullable<AuditDraft['changes']>;

/** A change that is to be undone. */
export interface DoneChange extends Pick<KeptChange, 'changes' | 'before' | 'inlineProviders'> {
  /** The record, and its id. */
  target: string;
  id: string;
  input: Record<string, unknown>;
}

/** A call that puts something back, and the changes that it must make for that. */
export interface Reversal {
  operation: string;
  input: Record<string, unknown>;
  expected: Changes;
  /** What the operation must know of the change to put back all of it. */
  kept?: AuditDraft['kept'];
  /** Operations whose work is done with it, which a token must be allowed too. */
  needs?: string[];
}

/**
 * How changes of an operation are undone: by calls of operations, as a deleted record, or by deleting what
 * was made. With `setsStock` the changes are given as if they had been made to the stock of now
 * (`stockOfNow`).
 */
export type UndoKind =
  { by: (done: DoneChange) => Reversal[]; setsStock?: true } | { restored: Restored } | { made: Made[] };

const reversed = (changes: Changes): Changes =>
  Object.fromEntries(Object.entries(changes).map(([name, [before, after]]) => [name, [after, before]]));

/** The operation itself gives the fields their former values. @param idField null: it is about the store */
const fields = (operation: string, idField: string | null): UndoKind => ({
  by: (done) => formerFields(operation, idField, done),
});

function formerFields(
  operation: string,
  idField: string | null,
  { id, changes, before }: Pick<DoneChange, 'id' | 'changes' | 'before'>,
): Reversal[] {
  const changed = Object.keys(changes);
  if (changed.length === 0) return [];
  const former = Object.fromEntries(changed.map((name) => [name, before?.[name] ?? changes[name][0]]));
  return [{ operation, input: { ...idOf(idField, id), ...former }, expected: reversed(changes) }];
}

/** Inline providers that followed the form (docs/behaviour.md §6.7) follow it back, whoever undoes it. */
function formerCheckout({ id, before, inlineProviders, changes }: DoneChange): Reversal[] {
  const { inlineProviders: rows, ...ofForm } = changes;
  const reversals = formerFields('update_checkout', null, { id, before, changes: ofForm });
  if (!(inlineProviders || rows) || !ofForm.fields) return reversals;
  const needs = ['create', 'update', 'delete'].map((verb) => `${verb}_payment_provider`);
  return reversals.map((reversal) => ({ ...reversal, kept: { inlineProviders: true }, needs }));
}

const idOf = (idField: string | null, id: string) =>
  idField === null ? {} : { [idField]: idField === 'orderId' ? Number(id) : id };

/** `product:<id>` and `variant:<id>`: what is sold, and has a price and stock. */
interface Sold {
  kind: string;
  id: string;
}

const sold = (target: string): Sold => {
  const [kind, id] = target.split(':');
  return { kind, id };
};

/** Values of a product or variant are put back as they were. */
const soldValues = ({ kind, id }: Sold, changes: Changes): Reversal =>
  withSaleEnd(id, {
    operation: `update_${kind}`,
    input: { id, ...formerOf(changes) },
    expected: reversed(changes),
  });

/** The end of a sale is no field of its call, which else would leave a sale price without one. */
function withSaleEnd(id: string, { input: { saleUntil, ...input }, ...reversal }: Reversal): Reversal {
  const ends = saleUntil === undefined ? {} : { [id]: saleUntil as string | null };
  return { ...reversal, input, kept: { salesUntil: ends } };
}

const soldFields = (operation: string): UndoKind => ({
  by: (done) => formerFields(operation, 'id', done).map((reversal) => withSaleEnd(done.id, reversal)),
  setsStock: true,
});

const formerOf = (changes: Changes) =>
  Object.fromEntries(Object.entries(changes).map(([name, [before]]) => [name, before]));

/** Stock moves by the opposite amount, because orders move it too; uncounted stock becomes uncounted. */
function soldStock({ kind, id }: Sold, changes: Changes, productId: unknown): Reversal {
  const [before, after] = changes.itemAmount as [number | null, number];
  if (before === null) return soldValues({ kind, id }, changes);
  const of = kind === 'product' ? { productId: id } : { productId, variantId: id };
  return { operation: 'update_stock', input: { ...of, delta: before - after }, expected: {} };
}

/** The changes of many records, `product:<id>.price`, record by record. */
function byRecord(changes: Changes): [Sold, Changes][] {
  const records = new Map<string, Changes>();
  for (const [path, pair] of Object.entries(changes)) {
    const [target, name] = path.split('.');
    records.set(target, { ...records.get(target), [name]: pair });
  }
  return [...records].map(([target, own]) => [sold(target), own]);
}

/** The operations whose changes can be undone (docs/behaviour.md §13.11). */
export const UNDO_KINDS: Record<string, UndoKind> = {
  update_brand: fields('update_brand', 'id'),
  update_category: fields('update_category', 'id'),
  update_checkout: { by: formerCheckout },
  update_contest: fields('update_contest', 'id'),
  update_customer: fields('update_customer', 'id'),
  update_general: fields('update_general', null),
  update_invoice_field_config: fields('update_invoice_field_config', null),
  update_monetization: fields('update_monetization', null),
  update_payment_provider: fields('update_payment_provider', 'id'),
  update_product: soldFields('update_product'),
  update_promocode: fields('update_promocode', 'id'),
  toggle_promocode: fields('update_promocode', 'id'),
  update_variant: soldFields('update_variant'),
  update_welcome_message: fields('update_welcome_message', null),
  set_order_status: {
    by: ({ id, changes: { status } }) =>
      status
        ? [
            {
              operation: 'set_order_status',
              input: { orderId: Number(id), status: status[0] },
              expected: reversed({ status }),
            },
          ]
        : [],
  },
  set_order_statuses: { by: formerStatuses },
  ship_orders: { by: formerStatuses },
  create_products: { made: [MADE.product, MADE.variant] },
  create_promocodes: { made: [MADE.promocode] },
  set_order_reference: fields('set_order_reference', 'orderId'),
  set_customer_reference: fields('set_customer_reference', 'id'),
  adjust_bonus: {
    by: ({ id, input: { delta } }) => [
      {
        operation: 'adjust_bonus',
        input: { customerId: id, delta: -Number(delta), reason: 'An adjustment was undone' },
        expected: {},
      },
    ],
  },
  update_stock: {
    by: ({ target, changes, input }) => [soldStock(sold(target), changes, input.productId)],
  },
  update_stocks: {
    by: ({ changes, input, before }) =>
      byRecord(changes).map(([record, own]) =>
        soldStock(record, own, before?.[record.id] ?? productOf(input, record)),
      ),
  },
  update_prices: { by: ({ changes }) => byRecord(changes).map(([record, own]) => soldValues(record, own)) },
  update_products: {
    setsStock: true,
    by: ({ changes, before }) => {
      const records = byRecord(changes);
      const items = formerProducts(records, before);
      const ends = records.flatMap(([{ id }, { saleUntil }]) => (saleUntil ? [[id, saleUntil[0]]] : []));
      const kept = { salesUntil: Object.fromEntries(ends) as Record<string, string | null> };
      return items.length === 0
        ? []
        : [{ operation: 'update_products', input: { items }, expected: reversed(changes), kept }];
    },
  },
  delete_brand: { restored: RESTORED.brand },
  delete_category: { restored: RESTORED.category },
  delete_contest: { restored: RESTORED.contest },
  delete_promocode: { restored: RESTORED.promocode },
};

/** Each order gets back the status that it had, in the order in which orders are locked. */
function formerStatuses({ before = {} }: DoneChange): Reversal[] {
  return Object.entries(before as Record<string, [string, string]>).map(([orderId, [former, given]]) => ({
    operation: 'set_order_status',
    input: { orderId: Number(orderId), status: former },
    expected: { status: [given, former] },
  }));
}

/** The ways to take back what cannot be undone, which refusals name. */
export const OTHER_WAYS: Record<string, string> = {
  ship_order: 'set_order_status puts the status back',
  refund_order: 'set_order_status puts the status back, and the refund stays recorded',
  create_brand: 'delete_brand removes what it made',
  create_category: 'delete_category removes what it made',
  create_contest: 'delete_contest removes what it made',
  create_payment_provider: 'delete_payment_provider removes what it made',
  create_product: 'delete_product removes what it made',
  create_promocode: 'delete_promocode removes what it made',
  create_variant: 'delete_variant removes what it made',
  delete_payment_provider: 'create_payment_provider makes it anew',
  delete_product: 'create_product makes it anew, from the record in list_activity',
  delete_variant: 'create_variant makes it anew, from the record in list_activity',
};

/**
 * What update_products is given so that products and codes of variants are as they were.
 * @param productIds of the variants, by their ids
 */
function formerProducts(records: [Sold, Changes][], productIds: KeptChange['before'] = {}) {
  const items = new Map<string, { id: string; variants?: object[] }>();
  for (const [{ kind, id }, own] of records) {
    const productId = kind === 'product' ? id : String(productIds[id]);
    const item = items.get(productId) ?? { id: productId };
    const { saleUntil: _, ...values } = own;
    const given =
      kind === 'product'
        ? formerOf(values)
        : { variants: [...(item.variants ?? []), { id, ...formerOf(own) }] };
    items.set(productId, { ...item, ...given });
  }
  return [...items.values()];
}

function productOf({ items }: DoneChange['input'], { id }: Sold): unknown {
  const named = items as { productId: string; variantId?: string }[];
  return named.find(({ variantId }) => variantId?.toLowerCase() === id)?.productId;
}
