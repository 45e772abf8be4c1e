import { ValidationPipe } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, type ValidationError, validateSync } from 'class-validator';
import fc from 'fast-check';
import { BotUpdatesController } from '../../../src/doors/bot-updates/bot-updates.controller.js';
import { declaredRoutes } from '../../../src/doors/dashboard/dashboard-pages.js';
import { StorefrontController } from '../../../src/doors/storefront/storefront.controller.js';
import { endpointsOf } from '../../../src/platform/call/endpoint.js';
import { OperationRegistry } from '../../../src/platform/call/operation.registry.js';
import { exampleOf } from '../../../src/platform/schema/example.js';
import { explain, problemsOf } from '../../../src/platform/schema/explain.js';
import { type DtoClass, fields, type FieldSpec } from '../../../src/platform/schema/field-spec.js';
import { isPlainObject } from '../../../src/platform/schema/json/parse-input.js';
import { jsonSchema } from '../../../src/platform/schema/json/json-schema.js';
import { accepts } from '../../../src/platform/schema/compiled-checks.js';
import { inputs } from '../../support/generated-inputs.js';
import { useShop } from '../../support/test-app.js';

const SEED = 20261122;
/** A class without fields is no unknown value: it takes no input. Nest's pipe says so too. */
const OPTIONS = { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: false };
const PIPE = new ValidationPipe({ ...OPTIONS, transform: false });

type Input = Record<string, unknown>;

const passesPipe = (type: DtoClass, value: Input) =>
  PIPE.transform(structuredClone(value), { type: 'body', metatype: type }).then(
    () => true,
    () => false,
  );

/** Every input with one of its values removed, or replaced by what most fields refuse, at every depth. */
function* broken(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries())
      for (const other of broken(item)) yield value.map((same, j) => (j === i ? other : same));
  } else if (isPlainObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      for (const other of broken(inner)) yield { ...value, [name]: other };
      yield Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
    }
    yield { ...value, unknownOne: 1 };
  }
  yield* [null, {}, [], [null], 'x'.repeat(30_000), '', -1, 1.5, true, 'https://a.example/b', '2026-02-30'];
}

/** The problems that class-validator's own `validateSync` finds in the fields, each with its path. */
function saidByClassValidator(type: DtoClass, input: Input): string[] {
  const instance = plainToInstance(type, structuredClone(input));
  return said(validateSync(instance, OPTIONS), '');
}

function said(errors: ValidationError[], start: string): string[] {
  return errors.flatMap(({ property, constraints = {}, children = [] }) => {
    // Which item is no object is named by the service alone; the list is refused by both.
    if (/^\d+$/.test(property)) return said(children, `${start}[${property}]`);
    const path = start ? `${start}.${property}` : property;
    const own = Object.entries(constraints).map(([name, text]) =>
      name === 'whitelistValidation' ? `${path} is unknown` : text.replace(new RegExp(`^${property}`), path),
    );
    // Once the whole value is refused, the service looks no further.
    return own.length > 0 ? [...new Set(own)] : said(children, path);
  });
}

/** The same from the service. */
function saidByService(type: DtoClass, input: Input): string[] {
  return [...problemsOf(type, input, '')]
    .map(({ text }) => text.replace(/ is not a known property: .*$/s, ' is unknown'))
    .filter((problem) => !/\[\d+\] must be an object$/.test(problem));
}

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
  let types: DtoClass[];

  const app = useShop();
  beforeAll(async () => {
    types = app.nest
      .get(OperationRegistry)
      .list()
      .map(({ input }) => input);
  });

  const everyInput = (): [name: string, type: DtoClass][] =>
    [
      ...app.nest.get(OperationRegistry).list(),
      ...declaredRoutes(),
      ...endpointsOf(StorefrontController),
      ...endpointsOf(BotUpdatesController),
    ].map(({ method, path, input }) => [`${method} ${path}`, input]);

  it("pass Nest's ValidationPipe with the documented example of every operation", async () => {
    const verdicts = await Promise.all(
      types.map(async (type) => [type.name, await passesPipe(type, exampleOf(type))]),
    );
    expect(verdicts).toEqual(types.map((type) => [type.name, accepts(type, exampleOf(type))]));
    expect(verdicts.filter(([, isValid]) => isValid).length).toBeGreaterThan(60);
  });

  it("get validateSync's verdict and words, every example and every broken field of every door", () => {
    const verdicts = { accepted: 0, refused: 0 };
    for (const [name, type] of everyInput()) {
      const example = exampleOf(type);
      for (const input of [example, ...broken(example)]) {
        if (!isPlainObject(input)) continue;
        const problems = saidByClassValidator(type, input);
        expect([name, input, saidByService(type, input).sort()]).toEqual([name, input, problems.sort()]);
        expect([name, input, accepts(type, input)]).toEqual([name, input, problems.length === 0]);
        verdicts[problems.length === 0 ? 'accepted' : 'refused']++;
      }
    }
    expect(Math.min(verdicts.accepted, verdicts.refused)).toBeGreaterThan(500);
  });

  it("are refused by Nest's ValidationPipe exactly when the service refuses a field", async () => {
    const verdicts = { accepted: 0, refused: 0 };
    for (const type of types) {
      const property = fc.asyncProperty(inputs(jsonSchema(type)), async (value) => {
        if (!isPlainObject(value) || hasInheritedName(value)) return;
        const isValid = await passesPipe(type, value);
        expect([type.name, value, accepts(type, value)]).toEqual([type.name, value, isValid]);
        expect(explain(type, value).text === 'The body does not match the operation').toBe(isValid);
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
