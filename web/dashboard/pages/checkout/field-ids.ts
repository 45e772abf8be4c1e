import { slugOf } from '../../../../packages/import/src/values/slug';
import type { Field } from './checkout';

const LONGEST = 190;

const stemOf = (label: string) => slugOf(label).replaceAll('-', '_').slice(0, LONGEST) || 'field';

/** The id of a field with this label, which no other has, because conditions and orders refer to it. */
export function idFor(label: string, others: ReadonlySet<string>): string {
  const stem = stemOf(label);
  if (stem !== 'field' && !others.has(stem)) return stem;
  let i = stem === 'field' ? others.size + 1 : 2;
  while (others.has(`${stem}_${i}`)) i++;
  return `${stem}_${i}`;
}

/** The fields that count: of several stored ones with an id the first, as in the service. */
export const byId = (fields: Field[]): Field[] =>
  fields.filter(({ id }, i) => fields.findIndex((field) => field.id === id) === i);

/**
 * Changes a field of the form. The id of a new one follows its label until somebody edits it, and the
 * conditions of the other fields follow the id, unless another field has it.
 * @param stored the ids that are saved: these stay
 */
export function withField(
  fields: Field[],
  i: number,
  part: Partial<Field>,
  stored: readonly string[],
): Field[] {
  const before = fields[i];
  const after = { ...before, ...part };
  const isNew = !stored.includes(before.id);
  if (
    isNew &&
    after.label !== before.label &&
    new RegExp(`^${stemOf(before.label)}(_\\d+)?$`).test(before.id)
  )
    after.id = idFor(after.label, new Set([...stored, ...fields.toSpliced(i, 1).map(({ id }) => id)]));
  const isShared = fields.toSpliced(i, 1).some(({ id }) => id === before.id);
  return fields.map((field, j) =>
    j === i ? after : isShared ? field : following(field, before.id, after.id),
  );
}

/** The field with its conditions about another field, whose id has changed. */
function following(field: Field, before: string, after: string): Field {
  if (before === after || !field.conditions?.some(({ dependsOn }) => dependsOn === before)) return field;
  const conditions = field.conditions.map((condition) =>
    condition.dependsOn === before ? { ...condition, dependsOn: after } : condition,
  );
  return { ...field, conditions };
}
