import { IsPositive, validateSync } from 'class-validator';
import { plainToInstance } from 'class-transformer';
import { asRefusal } from '../../../src/platform/errors.js';
import { AllOf, OmitOf, PickOf, UpdateOf } from '../../../src/platform/schema/derived-fields.js';
import { Example, exampleOf } from '../../../src/platform/schema/example.js';
import { type DtoClass, fields } from '../../../src/platform/schema/field-spec.js';
import { Flag, Integer, Text } from '../../../src/platform/schema/fields.js';
import { jsonSchema } from '../../../src/platform/schema/json/json-schema.js';
import { NestedList } from '../../../src/platform/schema/list-fields.js';
import { validateInput } from '../../../src/platform/schema/validate.js';

class Step {
  @Integer({ min: 1 }) size: number;
}

@Example({ name: 'Mug' })
class CreateThing {
  @Text({ isKey: true, min: 1, max: 5, description: 'What it is called.', hint: 'Short.' }) name: string;
  @Text({ max: 5, optional: true }) note?: string;
  @NestedList(() => Step, { min: 1, optional: true }) steps?: Step[];
  @Flag({ optional: true, default: true, description: 'The default is true.' }) isActive?: boolean;
}

class UpdateThing extends UpdateOf(CreateThing, { name: { description: 'Its new name.' } }) {
  @Flag({ optional: true }) isActive?: boolean;
}

const namesOf = (type: DtoClass) => fields(type).map(({ name }) => name);

function problemsOf(type: DtoClass, input: object): string | undefined {
  try {
    validateInput(type, { ...input });
    return undefined;
  } catch (error) {
    return asRefusal(error)?.message;
  }
}

describe('the input of an update', () => {
  it('has the id and the fields of the creation, in their order', () => {
    expect(namesOf(UpdateThing)).toEqual(['id', 'name', 'note', 'steps', 'isActive']);
    expect(jsonSchema(UpdateThing).required).toEqual(['id']);
    expect(fields(UpdateThing)[1]).toMatchObject({
      isKey: true,
      description: 'Its new name.',
      hint: 'Short.',
    });
    expect(fields(UpdateThing)[4]).toMatchObject({ optional: true });
    expect(fields(UpdateThing)[4].default ?? fields(UpdateThing)[4].description).toBeUndefined();
  });

  it.each<[object, string | undefined]>([
    [{}, undefined],
    [{ name: 'Mugs', note: null, steps: null }, undefined],
    [{ steps: [{ size: 1 }] }, undefined],
    [{ name: null }, 'name must be a string of 1 to 5 characters'],
    [{ name: 'Travel mug' }, 'name must be a string of 1 to 5 characters'],
    [{ note: 'Travel mug' }, 'note must be a string of at most 5 characters, or null'],
    [{ steps: [{ size: 0 }] }, 'steps[0].size must be an integer of at least 1'],
    [{ isActive: null }, 'isActive must be true or false'],
  ])('decides about %j as class-validator does: %s', (input, problem) => {
    const whole = { id: '1', ...input };
    expect(problemsOf(UpdateThing, whole)).toBe(problem);
    // validateSync takes nested objects of its own realm alone; class-validator.spec.ts compares those.
    if ('steps' in input && input.steps) return;
    expect(validateSync(plainToInstance(UpdateThing, whole)).length > 0).toBe(problem !== undefined);
  });

  it('leaves the creation as it was', () => {
    expect(problemsOf(CreateThing, {})).toContain('name is required');
    expect(problemsOf(CreateThing, { name: 'Mug', note: null })).toContain('note must be');
  });
});

describe('a class with fields of others', () => {
  class Named extends PickOf(CreateThing, 'note', 'name') {}
  class Counted extends AllOf(OmitOf(CreateThing, 'note', 'name'), Step, UpdateThing) {
    @Integer({ optional: true }) count?: number;
  }

  it('has those that it names, in the order of the names', () => {
    expect(namesOf(Named)).toEqual(['note', 'name']);
    expect(problemsOf(Named, { note: 'a' })).toBe(
      'name is required and must be a string of 1 to 5 characters',
    );
    expect(problemsOf(Named, { name: 'a', isActive: true })).toContain('isActive is not a known property');
  });

  it('has those of all classes, each once, then its own', () => {
    expect(namesOf(Counted)).toEqual(['steps', 'isActive', 'size', 'id', 'name', 'note', 'count']);
    expect(problemsOf(Counted, { id: '1' })).toContain('size is required');
    expect(problemsOf(Counted, { id: '1', size: 1, steps: [{ size: 0 }] })).toContain(
      'steps[0].size must be',
    );
    const isActive = (Class: DtoClass) => fields(Class).find(({ name }) => name === 'isActive');
    expect(isActive(Counted)?.default).toBe(true);
  });

  it('has the examples of all, but no example of what it picks', () => {
    expect(exampleOf(class extends AllOf(CreateThing, Step) {})).toEqual({ name: 'Mug' });
    expect(exampleOf(Named)).toEqual({});
  });

  it('is refused if a field has a validator that is not its own, which would be lost', () => {
    class Demanding {
      @IsPositive()
      @Integer()
      count: number;
    }
    expect(() => PickOf(Demanding, 'count')).toThrow(
      'Demanding.count has validators beside those of its field',
    );
  });
});
