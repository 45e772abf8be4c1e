import { getMetadataStorage, ValidationTypes } from 'class-validator';
import { declare, type DtoClass, type FieldOptions, fields, type FieldSpec } from './field-spec.js';
import { declaredValues, Example } from './example.js';
import { IdInput } from './pages/page.dto.js';

// DTO classes that declare fields of others again, as those of @nestjs/mapped-types do: `class A extends
// PickOf(B, 'name')`. Rules over several fields are the new class's own. A field that the class declares
// itself replaces the one taken, in its place.

type Said<T> = { [Name in keyof T]?: Pick<FieldOptions, 'description' | 'hint'> };
type Changed<T> = { [Name in keyof T]?: undefined extends T[Name] ? T[Name] | null : T[Name] };

/** Fields of a class, in the order of the names. */
export function PickOf<T extends object, Name extends keyof T>(
  type: DtoClass<T>,
  ...names: Name[]
): DtoClass<Pick<T, Name>> {
  const all = fields(type);
  return declaring(
    type,
    names.map((name) => all.find((field) => field.name === name)!),
  ) as DtoClass<T>;
}

/** The fields of a class without some, in their order. */
export function OmitOf<T extends object, Name extends keyof T>(
  type: DtoClass<T>,
  ...names: Name[]
): DtoClass<Omit<T, Name>> {
  const isLeft = ({ name }: FieldSpec) => !names.includes(name as Name);
  return declaring(type, fields(type).filter(isLeft)) as DtoClass<Omit<T, Name>>;
}

/** The fields of two or three classes, in their order, and their examples. */
export function AllOf<A extends object, B extends object, C extends object = object>(
  ...types: [DtoClass<A>, DtoClass<B>, DtoClass<C>?]
): DtoClass<A & B & C> {
  const target = class {};
  const names = new Set<string>();
  let example = {};
  for (const type of types) {
    if (!type) continue;
    // Several updates have an id.
    const taken = fields(type).filter(({ name }) => !names.has(name));
    declaring(type, taken, target);
    for (const { name } of taken) names.add(name);
    example = { ...example, ...declaredValues(type) };
  }
  Example(example)(target);
  return target as DtoClass<A & B & C>;
}

/**
 * The input of an update: `id`, and the fields of the creation in their order, each of which may be left out.
 * One that a new record may lack can be null, which clears it; a class declares one with a default itself.
 * @param said other words for some fields
 */
export function UpdateOf<T extends object>(
  type: DtoClass<T>,
  said: Said<T> = {},
): DtoClass<IdInput & Changed<T>> {
  const changed = fields(type).map(({ default: _, ...field }): FieldSpec => {
    const { optional, nullable } = field;
    return { ...field, optional: true, nullable: nullable ?? optional, ...said[field.name as keyof T] };
  });
  return declaring(type, changed, class extends IdInput {}) as DtoClass<IdInput & Changed<T>>;
}

function declaring(type: DtoClass, taken: FieldSpec[], target: DtoClass = class {}): DtoClass {
  for (const { name, nested, validators, ...field } of taken) {
    const types = nested && { nested: { list: nested.list } };
    declare({ ...field, ...types }, validators)(target.prototype, name);
    if (validatorsAt(target, name) !== validatorsAt(type, name))
      throw new Error(`${type.name}.${name} has validators beside those of its field`);
  }
  return target;
}

const validatorsAt = (type: DtoClass, name: string) =>
  getMetadataStorage()
    .getTargetValidationMetadatas(type, '', true, false)
    .filter((one) => one.propertyName === name && one.type === ValidationTypes.CUSTOM_VALIDATION).length;
