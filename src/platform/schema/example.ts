import { type DtoClass, fields, type FieldSpec } from './field-spec.js';

type Values = Record<string, unknown>;

/** The id in examples. */
const EXAMPLE_ID = '0198f3c2-7a51-7c3e-9b40-5d2e8f6a1c07';
const EXAMPLE_TIME = '2026-05-04T09:30:00.000Z';
const EXAMPLE_DAY = '2026-05-04';

const valuesOf = new WeakMap<DtoClass, Values>();

/**
 * Gives a DTO class the example that the generated documents show. Fields that are left out get a value from
 * their declaration: ids, times, flags, the first of several choices, null, and for objects of other classes
 * their own example. Optional fields are shown only if they are given here. Texts and amounts must be given.
 */
export function Example<Name extends string>(
  values: Record<Name, unknown>,
): <Class extends DtoClass<{ [Field in Name]?: unknown }>>(target: Class) => void {
  return (target) => void valuesOf.set(target, values);
}

/**
 * The example of a class, as the documents show it.
 * @param missing receives the fields that have no example and whose value cannot be derived; they are left
 * out
 */
export function exampleOf(type: DtoClass, missing: string[] = []): Values {
  const values = declaredValues(type);
  return Object.fromEntries(
    fields(type).flatMap((field): [string, unknown][] => {
      if (Object.hasOwn(values, field.name)) return [[field.name, values[field.name]]];
      if (field.optional) return [];
      const value = field.nullable ? null : inferred(field, missing);
      if (value === undefined) missing.push(`${type.name}.${field.name}`);
      return value === undefined ? [] : [[field.name, value]];
    }),
  );
}

/** The declared values of the class and its parents. Those of the class take precedence. */
export function declaredValues(type: DtoClass): Values {
  const parent = Object.getPrototypeOf(type) as DtoClass | null;
  return { ...(parent ? declaredValues(parent) : {}), ...valuesOf.get(type) };
}

function inferred({ name, schema, nested }: FieldSpec, missing: string[]): unknown {
  const inner = nested && exampleOf(nested.type(), missing);
  if (inner) return nested.list ? [inner] : inner;
  if (schema.enum) return (schema.enum as unknown[])[0];
  if (schema.type === 'boolean') return true;
  if (schema.format === 'date-time') return EXAMPLE_TIME;
  if (schema.format === 'date') return EXAMPLE_DAY;
  if (schema.type === 'string' && /^id$|Id$/.test(name)) return EXAMPLE_ID;
  return undefined;
}
