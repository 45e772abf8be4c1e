import 'reflect-metadata';
import { applyDecorators } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { IsDefined, IsOptional, ValidateIf, type ValidationOptions } from 'class-validator';
import type { Sentence, Told } from '../problems.js';

export interface FieldOptions {
  /** May be absent. Default false. */
  optional?: boolean;
  /** May be null. Default false. */
  nullable?: boolean;
  /** What an absent value of an input counts as. */
  default?: string | number | boolean;
  /** One short sentence for the generated documents, if the name does not explain the field. */
  description?: string;
  /**
   * A few words for a model instead of the description, because it pays for them on every turn. Default: a
   * short description. An empty one: nothing.
   */
  hint?: string;
  /**
   * Whether the value is never written to an audit row. As a function, it decides by the object that has the
   * field.
   */
  secret?: boolean | ((owner: object) => boolean);
  /** Whether the value can only be one of our own ids, which are taken in either case. */
  isOwnId?: true;
  /** Whether the text names or finds records: blanks around it and what nobody sees are taken out. */
  isKey?: true;
  /** Whether shoppers typed the value, all texts in it included, so that it may say anything. */
  typedByShopper?: true;
  /**
   * Whether the value is an amount in minor units of the `currency` beside it, of the object around it, or
   * else of the store.
   */
  minorUnits?: true;
  /** Whether the value is an amount in major units, likewise. */
  majorUnits?: true;
}

export type JsonSchema = { [keyword: string]: unknown };
export type DtoClass<T extends object = object> = new () => T;

/** The output of an operation that answers what another one does. */
export class AnyObject {}

/**
 * The product's own bounds, in characters or items, for fields without one in the specification
 * (docs/behaviour.md §1.6).
 */
export const LIMITS = { id: 200, line: 500, longText: 20_000, url: 2_048, list: 100 };
/** The maximum size of an object with free keys, and of other data that is stored as it was sent. */
export const MAX_OBJECT_BYTES = 16 * 1024;

export interface FieldSpec extends FieldOptions {
  name: string;
  /** The schema of the value itself, without nullability. Nested classes are in `nested`. */
  schema: JsonSchema;
  /**
   * The product's own bounds, which are added to the schema of an input. Outputs leave them out, because
   * older rows may exceed a bound, and so do tools, because a model would never reach it.
   */
  limits?: JsonSchema;
  /** The most items of a list. */
  maxItems?: number;
  /** Whether a list is a set: neither the order of its items nor repetitions matter. */
  unordered?: boolean;
  /** The maximum size of an object with free keys. */
  maxBytes?: number;
  /** The text of a refusal: "must be …". */
  expectation: string;
  /** The same for pages, without the path. */
  told: Told;
  /** What is said of a value that is only too large. */
  excess?: (value: unknown) => Sentence | undefined;
  /** The class that `@Type` names, of the object or of each object of a list. */
  nested?: { type: () => DtoClass; list: boolean };
  /**
   * The items of a bulk operation: one that is not valid does not make the input invalid, and is replaced by
   * an InvalidItem.
   */
  separate?: { accepts: (item: unknown) => boolean; expectation: string; told: Told };
  /** Its decorators of class-validator, which are given the text of the refusal. */
  validators: Validators;
}

export type Validators = (said: ValidationOptions) => PropertyDecorator[];

/** Stands in an input for an item of a bulk operation that is not valid (docs/behaviour.md §13). */
export class InvalidItem {
  /** @param problem what is wrong, with the path of each bad field */
  constructor(readonly problem: Sentence) {}
}

const declaredIn = new WeakMap<object, Map<string, FieldSpec>>();
/**
 * Filled on first use, when the class is complete, because property decorators run before class decorators.
 */
const allFieldsOf = new WeakMap<DtoClass, Map<string, FieldSpec>>();

/**
 * The fields of a DTO class, its parents' first. A child's declaration replaces its parent's of the same
 * name.
 */
export const fields = (type: DtoClass): FieldSpec[] => [...fieldsByName(type).values()];

export function fieldsByName(type: DtoClass): ReadonlyMap<string, FieldSpec> {
  let all = allFieldsOf.get(type);
  if (!all) allFieldsOf.set(type, (all = collectFields(type.prototype)));
  return all;
}

function collectFields(prototype: object | null): Map<string, FieldSpec> {
  if (prototype === null) return new Map();
  const all = collectFields(Object.getPrototypeOf(prototype) as object | null);
  for (const [name, field] of declaredIn.get(prototype) ?? []) {
    const parents = all.get(name);
    // A parent's ValidateIf stays, unless the child has one.
    if (parents && isConditional(parents) && !isConditional(field))
      throw new Error(
        `${name} is optional or nullable in a parent of ${prototype.constructor.name}, and not there`,
      );
    all.set(name, field);
  }
  return all;
}

const isConditional = ({ optional, nullable }: FieldOptions) => Boolean(optional || nullable);

/** The text of the value's refusal. */
export function expectationOf(
  { expectation, excess, nullable }: Pick<FieldSpec, 'expectation' | 'excess' | 'nullable'>,
  value: unknown,
): string {
  return excess?.(value)?.text ?? (nullable ? `${expectation}, or null` : expectation);
}

/** What pages are told of a value's refusal. @param path of the field */
export function toldOf({ told, excess }: FieldSpec, value: unknown, path: string): Told {
  if (value === undefined) return { problem: 'required', values: { path } };
  const { problem, values } = excess?.(value)?.told ?? told;
  return { problem, values: { ...values, path } };
}

/** What a decorator says of a field. The class of nested objects is named by `@Type`. */
export type Declaration = Omit<FieldSpec, 'name' | 'nested' | 'validators'> & { nested?: { list: boolean } };

/**
 * Declares a field for the uses of our own, and for class-validator, whose decorators decide what is valid.
 */
export function declare(field: Declaration, validators: Validators): PropertyDecorator {
  const said: ValidationOptions = {
    message: ({ value }) =>
      `$property ${value === undefined ? 'is required and ' : ''}${expectationOf(field, value)}`,
  };
  const keep: PropertyDecorator = (target, key) => {
    const declared = declaredIn.get(target) ?? new Map<string, FieldSpec>();
    const name = String(key);
    const nested = field.nested && { ...field.nested, type: typeAt(target, name) };
    declaredIn.set(target, declared.set(name, { ...field, name, nested, validators }));
  };
  return applyDecorators(keep, presence(field, said), ...validators(said));
}

/** The class that class-transformer makes of an object in the field; asked when all classes are declared. */
function typeAt({ constructor }: object, name: string): () => DtoClass {
  let type: DtoClass | undefined;
  return () =>
    (type ??= plainToInstance(constructor as DtoClass<Record<string, object>>, { [name]: {} })[name]
      .constructor as DtoClass);
}

/** IsOptional lets null pass too. */
function presence({ optional, nullable }: FieldOptions, said: ValidationOptions): PropertyDecorator {
  if (optional && nullable) return IsOptional();
  if (optional) return ValidateIf((_, value) => value !== undefined);
  return nullable ? ValidateIf((_, value) => value !== null) : IsDefined(said);
}
