import { getMetadataStorage, type ValidationArguments, ValidationTypes } from 'class-validator';
import { type DtoClass, fieldsByName } from './field-spec.js';
import { isPlainObject } from './json/parse-input.js';

// class-validator's metadata of DTO classes, compiled once per class: its validators, conditions and messages
// decide, on plain data. `validate` needs instances, and looks at every value of a megabyte of bad items.

type Input = Record<string, unknown>;
type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** One validator of a field. */
interface Validator {
  holds: (input: Input, value: unknown) => boolean;
  /** What is wrong with a value that it refuses, beginning with the path of the field. */
  problem: (input: Input, value: unknown, path: string) => string;
}

interface FieldCheck {
  name: string;
  /** The field is checked only if all of them hold. */
  conditions: ((input: Input, value: unknown) => boolean)[];
  validators: Validator[];
  /** The class of the objects in it. */
  nested?: () => DtoClass;
}

/**
 * Makes something of each class once, when it is first asked for.
 * @param inside what a class is taken for inside itself
 */
export function perClass<Made>(make: (type: DtoClass) => Made, inside?: Made): (type: DtoClass) => Made {
  const kept = new Map<DtoClass, Made>();
  return (type) => {
    let made = kept.get(type);
    if (made !== undefined) return made;
    if (inside !== undefined) kept.set(type, inside);
    kept.set(type, (made = make(type)));
    return made;
  };
}

/**
 * Whether every field is valid and no property is unknown, at every depth. Cross-field rules are checked
 * separately.
 */
export function accepts(type: DtoClass, input: Input): boolean {
  const checks = checksOf(type);
  for (const name of Object.keys(input)) if (!checks.has(name)) return false;
  for (const check of checks.values()) {
    const value = ownValue(input, check.name);
    if (!isChecked(check, input, value)) continue;
    if (refusing(check, input, value)) return false;
    if (check.nested && value !== undefined && value !== null && !acceptsNested(check.nested(), value))
      return false;
  }
  return true;
}

/**
 * What is wrong with a field, apart from the fields of objects in it.
 * @param path the path of the field, with which the text begins
 */
export function problemOf(type: DtoClass, name: string, input: Input, path: string): string | undefined {
  const check = checksOf(type).get(name)!;
  const value = ownValue(input, name);
  if (!isChecked(check, input, value)) return undefined;
  return refusing(check, input, value)?.problem(input, value, path);
}

/** A property of the object itself, never one of its prototype. */
export const ownValue = (input: Input, name: string): unknown =>
  Object.hasOwn(input, name) ? input[name] : undefined;

function isChecked({ conditions }: FieldCheck, input: Input, value: unknown): boolean {
  for (const condition of conditions) if (!condition(input, value)) return false;
  return true;
}

function refusing({ validators }: FieldCheck, input: Input, value: unknown): Validator | undefined {
  for (const validator of validators) if (!validator.holds(input, value)) return validator;
  return undefined;
}

function acceptsNested(type: DtoClass, value: unknown): boolean {
  const isAccepted = (item: unknown) => isPlainObject(item) && accepts(type, item);
  return Array.isArray(value) ? value.every(isAccepted) : isAccepted(value);
}

/** @throws Error for a validator of a property that is no field: the documents would not show it */
const checksOf = perClass((type): Map<string, FieldCheck> => {
  const storage = getMetadataStorage();
  const metadata = storage.getTargetValidationMetadatas(type, '', true, false);
  const declared = fieldsByName(type);
  for (const { propertyName } of metadata)
    if (!declared.has(propertyName))
      throw new Error(`${type.name}.${propertyName} is not declared as a field`);
  const checks = new Map<string, FieldCheck>();
  for (const { name, nested } of declared.values()) {
    const own = metadata.filter(({ propertyName }) => propertyName === name);
    const conditions = own.filter(isOfType(ValidationTypes.CONDITIONAL_VALIDATION));
    checks.set(name, {
      name,
      conditions: conditions.map(({ constraints }) => constraints[0] as FieldCheck['conditions'][number]),
      validators: [
        ...own.filter(isOfType(ValidationTypes.IS_DEFINED)),
        ...own.filter(isOfType(ValidationTypes.CUSTOM_VALIDATION)),
      ].flatMap((one) => validatorsOf(type, one)),
      nested: own.some(isOfType(ValidationTypes.NESTED_VALIDATION)) ? nested!.type : undefined,
    });
  }
  return checks;
});

const isOfType = (type: string) => (metadata: Metadata) => metadata.type === type;

function validatorsOf(type: DtoClass, metadata: Metadata): Validator[] {
  const { propertyName: property, constraintCls, constraints, each, validateIf } = metadata;
  const { name: targetName } = type;
  const argumentsOf = (object: Input, value: unknown): ValidationArguments => ({
    targetName,
    property,
    object,
    value,
    constraints,
  });
  return getMetadataStorage()
    .getTargetValidatorConstraints(constraintCls)
    .map(({ instance: validator }): Validator => {
      const accepts = (value: unknown, given: ValidationArguments): boolean => {
        const verdict = validator.validate(value, given);
        // A call does not wait for validators, and a promise must not count as a yes.
        if (typeof verdict !== 'boolean') throw new Error(`${targetName}.${property} has an async validator`);
        return verdict;
      };
      return {
        holds: (input, value) => {
          if (validateIf && !validateIf(input, value)) return true;
          const given = argumentsOf(input, value);
          return each && Array.isArray(value)
            ? value.every((item) => accepts(item, given))
            : accepts(value, given);
        },
        problem: (input, value, path) => {
          const given = argumentsOf(input, value);
          const message = metadata.message || (validator.defaultMessage?.(given) ?? '');
          return filledIn(typeof message === 'function' ? message(given) : message, given, path);
        },
      };
    });
}

const TOKEN = /\$(?:constraint(\d+)|value|property|target)/g;

/** The message with class-validator's tokens replaced; `$property` is the path. */
function filledIn(message: string, { constraints, value, targetName }: ValidationArguments, path: string) {
  const whole = message.includes('$property') ? message : `$property ${message || 'is not valid'}`;
  return whole.replace(TOKEN, (token, constraint?: string) => {
    if (token === '$property') return path;
    if (token === '$target') return targetName;
    if (constraint) return [constraints[Number(constraint) - 1]].flat().join(', ');
    return typeof value === 'object' ? token : String(value).slice(0, 100).toWellFormed();
  });
}
