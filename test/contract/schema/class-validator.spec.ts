import { ValidationPipe } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import fc from 'fast-check';
import { OperationRegistry } from '../../../src/platform/call/operation.registry.js';
import { exampleOf } from '../../../src/platform/schema/example.js';
import { explain } from '../../../src/platform/schema/explain.js';
import {
  type DtoClass,
  fields,
  type FieldSpec,
  isPlainObject,
} from '../../../src/platform/schema/field-spec.js';
import { jsonSchema } from '../../../src/platform/schema/json/json-schema.js';
import { accepts } from '../../../src/platform/schema/validate.js';
import { inputs } from '../../support/generated-inputs.js';
import { TestApp } from '../../support/test-app.js';

const SEED = 20261122;
const PIPE = new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: false });

type Input = Record<string, unknown>;

const passesPipe = (type: DtoClass, value: Input) =>
  PIPE.transform(structuredClone(value), { type: 'body', metatype: type }).then(
    () => true,
    () => false,
  );

/**
 * Whether a name of the input is one of Object.prototype's, which class-validator takes for a declared one.
 */
const hasInheritedName = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(([name, inner]) => name in Object.prototype || hasInheritedName(inner));

/** Keywords of JSON schema, as the validators of a field say them about its own value. */
const KEYWORDS: Record<string, (constraints: any[]) => object> = {
  isString: () => ({ type: 'string' }),
  isInt: () => ({ type: 'integer' }),
  isNumber: () => ({ type: 'number' }),
  isBoolean: () => ({ type: 'boolean' }),
  isArray: () => ({ type: 'array' }),
  isObject: () => ({ type: 'object' }),
  isAbsoluteUri: () => ({ format: 'uri' }),
  isCalendarDay: () => ({ format: 'date' }),
  isRFC3339: () => ({ type: 'string', format: 'date-time' }),
  isIn: ([values]) => ({ type: 'string', enum: values }),
  equals: ([value]) => ({ type: 'boolean', enum: [value] }),
  isLength: ([minLength, maxLength]) => ({ minLength, maxLength }),
  maxLength: ([maxLength]) => ({ maxLength }),
  matches: ([pattern]) => ({ pattern: pattern.source }),
  min: ([minimum]) => ({ minimum }),
  max: ([maximum]) => ({ maximum }),
  isPositive: () => ({ exclusiveMinimum: 0 }),
  arrayMinSize: ([minItems]) => (minItems > 0 ? { minItems } : {}),
  arrayMaxSize: ([maxItems]) => ({ maxItems }),
};

/** Keywords that say nothing of the field's own value, or what it is without one. */
const BEYOND = ['description', 'properties', 'required', 'additionalProperties', 'items', 'allOf', 'default'];

function saidByValidators(type: DtoClass, { name }: FieldSpec): object {
  return getMetadataStorage()
    .getTargetValidationMetadatas(type, '', true, false)
    .filter((metadata) => metadata.propertyName === name && !metadata.each)
    .reduce((said, { name: validator, constraints }) => {
      return { ...said, ...KEYWORDS[validator ?? '']?.(constraints) };
    }, {});
}

/** The DTO classes, read by class-validator and Nest's pipe, as other programs would read them. */
describe('the inputs of operations, read by class-validator', () => {
  let app: TestApp;
  let types: DtoClass[];

  beforeAll(async () => {
    app = await TestApp.start();
    types = app.nest
      .get(OperationRegistry)
      .list()
      .map(({ input }) => input);
  });
  afterAll(() => app.stop());

  it("pass Nest's ValidationPipe with the documented example of every operation", async () => {
    const verdicts = await Promise.all(
      types.map(async (type) => [type.name, await passesPipe(type, exampleOf(type))]),
    );
    expect(verdicts).toEqual(types.map((type) => [type.name, accepts(type, exampleOf(type))]));
    expect(verdicts.filter(([, isValid]) => isValid).length).toBeGreaterThan(60);
  });

  it("are refused by Nest's ValidationPipe exactly when the service refuses a field", async () => {
    const verdicts = { accepted: 0, refused: 0 };
    for (const type of types) {
      const property = fc.asyncProperty(inputs(jsonSchema(type)), async (value) => {
        if (!isPlainObject(value) || hasInheritedName(value)) return;
        const isValid = await passesPipe(type, value);
        expect([type.name, value, accepts(type, value)]).toEqual([type.name, value, isValid]);
        expect(explain(type, value) === 'The body does not match the operation').toBe(isValid);
        verdicts[isValid ? 'accepted' : 'refused']++;
      });
      await fc.assert(property, { numRuns: 100, seed: SEED });
    }
    expect(Math.min(verdicts.accepted, verdicts.refused)).toBeGreaterThan(1000);
  });

  it('show a reader of its metadata the types and bounds that the documents state', () => {
    for (const type of types) {
      const { properties } = jsonSchema(type) as { properties: Record<string, any> };
      for (const field of fields(type)) {
        const written = properties[field.name];
        const schema = written.anyOf?.[0] ?? written;
        // The schemes of an address are written as a pattern.
        const left = schema.format === 'uri' ? [...BEYOND, 'pattern'] : BEYOND;
        const keywords = Object.fromEntries(Object.entries(schema).filter(([name]) => !left.includes(name)));
        expect([type.name, field.name, saidByValidators(type, field)]).toEqual([
          type.name,
          field.name,
          keywords,
        ]);
      }
    }
  });

  it('count the code points of a text, also of one with variation selectors', async () => {
    const hearts = (count: number) => ({ name: '\u2764\ufe0f'.repeat(count), slug: 'hearts' });
    const type = types.find(({ name }) => name === 'CreateBrandInput')!;
    for (const [count, isValid] of [
      [100, true],
      [101, false],
    ] as const)
      expect([accepts(type, hearts(count)), await passesPipe(type, hearts(count))]).toEqual([
        isValid,
        isValid,
      ]);
  });
});
