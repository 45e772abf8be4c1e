import { plainToInstance } from 'class-transformer';
import {
  type ValidationArguments,
  type ValidationOptions,
  registerDecorator,
  Validate,
  validateSync,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { asRefusal } from '../../../src/platform/errors.js';
import { type DtoClass, fields } from '../../../src/platform/schema/field-spec.js';
import { Integer, Text } from '../../../src/platform/schema/fields.js';
import { IntegerList, NestedList } from '../../../src/platform/schema/list-fields.js';
import { validateInput } from '../../../src/platform/schema/validate.js';

type Verdict = (value: any, given: ValidationArguments) => boolean | Promise<boolean>;

const Own = (
  validate: Verdict,
  options?: ValidationOptions,
  constraints: unknown[] = [],
): PropertyDecorator => {
  return (target, key) =>
    registerDecorator({
      name: 'own',
      target: target.constructor,
      propertyName: String(key),
      constraints,
      options,
      validator: { validate, defaultMessage: () => '$property must suit us' },
    });
};
const isEven = (value: number) => value % 2 === 0;

@ValidatorConstraint({ name: 'later' })
class IsAfter implements ValidatorConstraintInterface {
  validate(value: unknown, { constraints, object }: ValidationArguments): boolean {
    return Number(value) > Number((object as Record<string, unknown>)[constraints[0] as string]);
  }
  defaultMessage = ({ constraints }: ValidationArguments) => `$property must be more than ${constraints[0]}`;
}

class Step {
  @Own(isEven)
  @Integer()
  size: number;
}

class Plan {
  @Own(isEven)
  @Integer({ optional: true })
  pairs?: number;

  @Own(isEven, { message: 'has to come in twos, unlike $value' })
  @Integer({ optional: true })
  socks?: number;

  @Own((value, { constraints }) => value !== constraints[0], { message: '$property is never $constraint1' }, [
    'x',
  ])
  @Text({ optional: true })
  name?: string;

  @Integer({ optional: true })
  from?: number;

  @Validate(IsAfter, ['from'])
  @Integer({ optional: true })
  to?: number;

  @Own(isEven, { each: true })
  @IntegerList({ itemMin: 0, itemMax: 9, optional: true })
  list?: number[];

  @Own(isEven, { validateIf: ({ from }: Plan) => from === 1 })
  @Integer({ optional: true })
  sometimes?: number;

  @NestedList(() => Step, { optional: true })
  steps?: Step[];
}

function problemsOf(type: DtoClass, input: object): string | undefined {
  try {
    validateInput(type, input);
    return undefined;
  } catch (error) {
    return asRefusal(error)?.message;
  }
}

/** A validator that is not ours: whoever adds one to a field adds it to what the service checks. */
describe("a class-validator's decorator beside a field's", () => {
  it.each<[input: Plan, problem: string | undefined]>([
    [{ pairs: 2, socks: 4, name: 'y', from: 1, to: 2, list: [0, 2], steps: [{ size: 2 }] }, undefined],
    [{ pairs: 3 }, 'pairs must suit us'],
    [{ socks: 3 }, 'socks has to come in twos, unlike 3'],
    [{ name: 'x' }, 'name is never x'],
    [{ from: 2, to: 2 }, 'to must be more than from'],
    [{ list: [2, 3] }, 'list must suit us'],
    [{ from: 1, sometimes: 3 }, 'sometimes must suit us'],
    [{ from: 2, sometimes: 3 }, undefined],
    [{ steps: [{ size: 2 }, { size: 5 }] }, 'steps[1].size must suit us'],
    [{ pairs: 1, socks: 1 }, 'pairs must suit us; socks has to come in twos, unlike 1'],
  ])('decides about %j: %s', (input, problem) => {
    expect(problemsOf(Plan, input)).toBe(problem);
    // validateSync takes nested objects of its own realm alone; class-validator.spec.ts compares those.
    if (input.steps) return;
    expect(validateSync(plainToInstance(Plan, input)).length > 0).toBe(problem !== undefined);
  });

  it('does not replace what the field itself demands', () => {
    expect(problemsOf(Plan, { to: '5' })).toContain('to must be');
    expect(problemsOf(Plan, { pairs: 2 ** 53 })).toBe(
      `pairs must be a number within ±${Number.MAX_SAFE_INTEGER}`,
    );
    expect(problemsOf(Plan, { steps: [{ size: '2' }] })).toBe('steps[0].size must be an integer');
  });

  it('shows no more of a value than a line', () => {
    class Named {
      @Own(() => false, { message: 'is $value' })
      @Text()
      name: string;
    }
    expect(problemsOf(Named, { name: 'x'.repeat(400) })).toBe(`name is ${'x'.repeat(100)}`);
  });

  it('fails the call if it would answer later, since a promise is no yes', () => {
    class Waiting {
      @Own(async () => false)
      @Integer()
      count: number;
    }
    expect(() => validateInput(Waiting, { count: 1 })).toThrow('Waiting.count has an async validator');
  });

  it('fails the call on a property that is no field, which the documents would not show', () => {
    class Hidden {
      @Own(isEven)
      count: number;
    }
    expect(() => validateInput(Hidden, { count: 2 })).toThrow('Hidden.count is not declared as a field');
  });
});

describe('a field of a child', () => {
  class Parent {
    @Integer({ optional: true }) count?: number;
    @NestedList(() => Step, { optional: true }) steps?: Step[];
  }

  it('cannot demand what its parent leaves out, since the condition of the parent stays', () => {
    class Demanding extends Parent {
      @Integer() declare count: number;
    }
    expect(() => fields(Demanding)).toThrow('count is optional or nullable in a parent of Demanding');
  });

  it('takes another class of objects', () => {
    class OtherStep {
      @Text() name: string;
    }
    class Child extends Parent {
      @NestedList(() => OtherStep, { optional: true }) declare steps?: any[];
    }
    expect(problemsOf(Child, { count: 1, steps: [{ name: 'a' }] })).toBeUndefined();
    expect(problemsOf(Child, { steps: [{ size: 2 }] })).toContain('steps[0].size is not a known property');
    expect(problemsOf(Parent, { steps: [{ name: 'a' }] })).toContain('steps[0].name is not a known property');
  });
});
