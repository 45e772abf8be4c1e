import { deliveryField } from '../../../../src/groups/checkout/checkout-rules.js';
import { selectOptions } from '../../../../src/groups/checkout/checkout-value.js';
import { words } from '../../words/all';
import type { Field } from './checkout';
import { idFor } from './field-ids';

type Condition = NonNullable<Field['conditions']>[number];

/** A way of delivery, as the block shows it. */
export interface Way {
  name: string;
  /** In major units. */
  price: number;
  asksAddress: boolean;
}

const isPriced = ({ action, priceAdjustment }: Condition) =>
  action === 'increase_price' && Boolean(priceAdjustment);
const holds = (id: string, name: string) => (condition: Condition) =>
  condition.dependsOn === id && condition.operator === 'equals' && (condition.value ?? '').trim() === name;

/** Whether all conditions of a field hang on such a choice, and do only this. */
const isOf = (field: Field, names: string[], conditions: Condition[], ...actions: Condition['action'][]) =>
  conditions.every(
    (condition) =>
      actions.includes(condition.action) && names.some((name) => holds(field.id, name)(condition)),
  );

/** The field that some of the ways show. */
function addressField(fields: readonly Field[], field: Field): Field | undefined {
  const names = selectOptions(field.options);
  return fields.find(
    ({ type, defaultVisible, conditions = [] }) =>
      ['text', 'textarea'].includes(type) &&
      !defaultVisible &&
      conditions.some(({ action }) => action === 'show') &&
      isOf(field, names, conditions, 'show', 'require', 'increase_price'),
  );
}

/** The ways of delivery that a form has; null if it was made by hand in another manner than these rows. */
export function waysOf(fields: readonly Field[]): Way[] | null {
  const field = deliveryField(fields);
  if (!field) return [];
  const names = selectOptions(field.options);
  const isReadable =
    new Set(names).size === names.length && isOf(field, names, field.conditions ?? [], 'increase_price');
  if (!isReadable) return null;
  const asked = addressField(fields, field)?.conditions ?? [];
  return names.map((name) => {
    const met = [...(field.conditions ?? []), ...asked].filter(holds(field.id, name));
    return {
      name,
      price: met.filter(isPriced).reduce((sum, { priceAdjustment }) => sum + priceAdjustment!.value, 0),
      asksAddress: met.some(({ action }) => action === 'show'),
    };
  });
}

/** The form with these ways of delivery. Conditions of other fields follow a way whose name is changed. */
export function withWays(fields: readonly Field[], before: Way[], ways: Way[]): Field[] {
  const known = deliveryField(fields);
  const ids = new Set(fields.map(({ id }) => id));
  const { label, address } = words.checkout.delivery;
  const blank = { label, type: 'select', required: true, defaultVisible: true } as const;
  const field: Field = known ?? { ...blank, id: ids.has('delivery') ? idFor(label, ids) : 'delivery' };
  const asked = (known && addressField(fields, known)) ?? {
    ...{ id: ids.has('address') ? idFor(address, ids) : 'address', label: address },
    ...{ type: 'textarea' as const, required: true, defaultVisible: false },
  };
  const named = ways.map((way) => ({ ...way, name: way.name.trim() })).filter(({ name }) => name !== '');
  const when = (name: string) => ({ dependsOn: field.id, operator: 'equals' as const, value: name });
  const written: Field = {
    ...field,
    options: named.map(({ name }) => name).join('\n'),
    conditions: named
      .filter(({ price }) => price > 0)
      .map(({ name, price: value }) => ({
        ...{ ...when(name), action: 'increase_price' as const },
        priceAdjustment: { operator: 'add' as const, value },
      })),
  };
  const asking = named.filter(({ asksAddress }) => asksAddress);
  const shown: Field = {
    ...asked,
    conditions: asking.flatMap(({ name }) => [
      { ...when(name), action: 'show' as const },
      ...(asked.required ? [] : [{ ...when(name), action: 'require' as const }]),
    ]),
  };
  const own = [written, ...(asking.length > 0 ? [shown] : [])];
  const rest = fields.filter(({ id }) => id !== asked.id).map(following(field.id, before, ways));
  const at = rest.findIndex(({ id }) => id === field.id);
  return at < 0 ? [...rest, ...own] : rest.toSpliced(at, 1, ...own);
}

/** Follows a name that was changed in its place; several that differ have been moved. */
const following = (id: string, before: Way[], after: Way[]) => (field: Field) => {
  const changed = before.flatMap(({ name }, i) => (after[i]?.name.trim() === name.trim() ? [] : [i]));
  if (before.length !== after.length || changed.length !== 1 || !field.conditions) return field;
  const [was, now] = [before[changed[0]].name.trim(), after[changed[0]].name.trim()];
  const conditions = field.conditions.map((condition) =>
    was !== '' && now !== '' && condition.dependsOn === id && (condition.value ?? '').trim() === was
      ? { ...condition, value: now }
      : condition,
  );
  return { ...field, conditions };
};
