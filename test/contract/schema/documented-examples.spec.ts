import { Ajv2020 } from 'ajv/dist/2020.js';
import { isDateTime, isDay, isUri } from '../../../src/platform/schema/formats.js';
import { Example, exampleOf } from '../../../src/platform/schema/example.js';
import { type DtoClass } from '../../../src/platform/schema/field-spec.js';
import { Integer, OneOf, Text } from '../../../src/platform/schema/fields.js';
import { FreeList, FreeObject, Nested, NestedList } from '../../../src/platform/schema/list-fields.js';
import { jsonSchema, outputSchema } from '../../../src/platform/schema/json/json-schema.js';
import { validateInput } from '../../../src/platform/schema/validate.js';
import { DOCUMENTED_DOORS, Documents } from '../../../src/doors/openapi/documents.service.js';
import { useShop } from '../../support/test-app.js';

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false });
ajv.addFormat('uri', (value) => isUri(value, ['http:', 'https:', 'tg:']));
ajv.addFormat('date-time', isDateTime);
ajv.addFormat('date', isDay);

@Example({ name: 'Mug', size: 'L' })
class Inner {
  @Text() name: string;
  @Text({ optional: true }) size?: string;
  @Text({ optional: true }) colour?: string;
}

class Outer {
  @Text() id: string;
  @OneOf(['new', 'used']) state: string;
  @Text({ nullable: true }) note: string | null;
  @Nested(() => Inner) inner: Inner;
  @NestedList(() => Inner, { nullable: true }) more: Inner[] | null;
}

@Example({ name: 'Cup', count: 3 })
class Child extends Inner {
  @Integer() count: number;
  @Text() word: string;
}

class Free {
  @FreeObject({ known: { colour: { description: 'Any word for it.' } } }) traits: object;
  @FreeList() rows: object[];
}

describe('the example of a DTO class', () => {
  it('consists of what the class says and of values that follow from its fields', () => {
    expect(exampleOf(Outer)).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      state: 'new',
      note: null,
      inner: { name: 'Mug', size: 'L' },
      more: null,
    });
  });

  it("inherits its parents' values, and reports the fields without one", () => {
    const missing: string[] = [];
    expect(exampleOf(Child, missing)).toEqual({ name: 'Cup', size: 'L', count: 3 });
    expect(missing).toEqual(['Child.word']);
  });
});

describe('an object with free keys', () => {
  it('accepts any key, and its schema lists the usual ones', () => {
    const { properties } = outputSchema(Free) as any;
    const open = { type: 'object', additionalProperties: true };
    expect(properties).toEqual({
      traits: { ...open, properties: { colour: { description: 'Any word for it.' } } },
      rows: { type: 'array', items: open },
    });
  });
});

describe('the documented example of every endpoint', () => {
  let classes: { input: DtoClass; output: DtoClass }[];

  const app = useShop();
  beforeAll(async () => {
    const documents = app.nest.get(Documents, { strict: false });
    classes = DOCUMENTED_DOORS.flatMap((door) => documents.endpointsOf(door).map(({ endpoint }) => endpoint));
  });

  it('has a value for every field that needs one', () => {
    const missing: string[] = [];
    for (const { input, output } of classes) [input, output].map((type) => exampleOf(type, missing));
    // The class named here wants the field in its @Example.
    expect(missing).toEqual([]);
  });

  it('is accepted, and the answer is as declared', () => {
    for (const { input, output } of classes) {
      expect(validateInput(input, exampleOf(input))).toEqual(exampleOf(input));
      for (const [type, schema] of [
        [input, jsonSchema(input)],
        [output, outputSchema(output)],
      ] as const) {
        const conforms = ajv.compile(schema);
        conforms(exampleOf(type));
        expect([type.name, conforms.errors ?? []]).toEqual([type.name, []]);
      }
    }
  });
});
