import type { Tool } from '@modelcontextprotocol/client';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { toolSchema } from '../../../src/doors/mcp/tool-schema.js';
import { includesScope, type Scope, SCOPES } from '../../../src/access/rights.js';
import { Confirm, Decimal, Integer, Text, Uri } from '../../../src/platform/schema/fields.js';
import { Nested } from '../../../src/platform/schema/list-fields.js';
import { AtLeastOneOf, CrossField, ExactlyOneOf } from '../../../src/platform/schema/rules.js';
import type { OperationSpec } from '../../../src/platform/call/endpoint.js';
import { OperationRegistry } from '../../../src/platform/call/operation.registry.js';
import { type TestStore, useShop } from '../../support/test-app.js';
import { type Era, RawClient } from './raw-client.js';

type Json = Record<string, any>;

/** The changes that overwrite and remove nothing, which alone may say so. */
const ADDITIVE = [
  'add_order_note',
  'create_brand',
  'create_category',
  'create_contest',
  'create_payment_provider',
  'create_product',
  'create_promocode',
  'create_promocodes',
  'create_variant',
  'preview_change',
  'test_payment_provider',
];

/**
 * OpenAI's strict mode refuses the first three, Gemini's `parameters` the fourth, several clients the others.
 */
const REFUSED_BY_VENDORS = [
  'minProperties',
  'maxProperties',
  'const',
  'exclusiveMinimum',
  'oneOf',
  'allOf',
  'not',
  'if',
  '$ref',
  '$defs',
];

/** Every schema inside a schema, with its path and whether it stands in the position of a property. */
function* schemas(schema: unknown, path = '#'): Generator<[string, unknown]> {
  yield [path, schema];
  const { properties = {}, items, anyOf = [] } = schema as Json;
  for (const [name, inner] of Object.entries(properties)) yield* schemas(inner, `${path}/${name}`);
  if (items !== undefined) yield* schemas(items, `${path}[]`);
  for (const [i, inner] of anyOf.entries()) yield* schemas(inner, `${path}|${i}`);
}

describe('tools', () => {
  let store: TestStore;
  let operations: OperationSpec[];
  let admin: Tool[];

  const listed = async (scope: Scope, era: Era = 'modern'): Promise<Tool[]> => {
    const { messages } = await new RawClient(app, store.tokens[scope], era).send('tools/list');
    return messages[0].result.tools;
  };

  const app = useShop();
  beforeAll(async () => {
    store = await app.store();
    operations = app.nest.get(OperationRegistry).list();
    admin = await listed('admin');
  });

  it.each(SCOPES)('lists exactly what a %s token may call, by use, the same to both eras', async (scope) => {
    const names = operations
      .filter((operation) => includesScope(scope, operation.scope))
      .map(({ name }) => name);
    const tools = await listed(scope);
    expect(tools.map(({ name }) => name).sort()).toEqual([...names].sort());
    expect(names.length).toBeGreaterThan(0);
    expect(await listed(scope, 'legacy')).toEqual(tools);
    expect(await listed(scope)).toEqual(tools);
  });

  it('begins with what is used most, and goes on by name', () => {
    const names = admin.map(({ name }) => name);
    expect(names.slice(0, 5)).toEqual([
      ...['get_store_overview', 'find_orders', 'get_order', 'find_products', 'find_customers'],
    ]);
    const rest = names.slice(41);
    expect(rest).toEqual([...rest].sort());
    expect(names.slice(0, 41).filter((name) => name.startsWith('delete_'))).toEqual([]);
  });

  it('describes each tool as its operation is described', () => {
    for (const operation of operations) {
      const { annotations, ...tool } = admin.find(({ name }) => name === operation.name)!;
      expect(tool.title).toBe(operation.summary);
      expect(tool.description).toContain(operation.description ?? operation.summary);
      expect(annotations).toEqual({
        title: operation.summary,
        readOnlyHint: operation.scope === 'read',
        destructiveHint: operation.scope !== 'read' && !ADDITIVE.includes(operation.name),
        idempotentHint: operation.idempotent ?? operation.scope === 'read',
        openWorldHint: operation.openWorld === true,
      });
    }
  });

  it('says of a tool that applies others what is true of one of them', () => {
    const applied = operations.filter(({ preview }) => preview !== 'none').map(({ name }) => name);
    const hints = admin
      .filter(({ name }) => applied.includes(name))
      .map(({ annotations }) => annotations!.openWorldHint);
    const { annotations } = admin.find(({ name }) => name === 'apply_change')!;
    expect(annotations!.openWorldHint).toBe(hints.includes(true));
  });

  it('writes schemas that every client can take', () => {
    for (const { name, description, inputSchema, outputSchema } of admin) {
      expect(name).toMatch(/^[a-z_]{1,64}$/);
      expect([name, description!.length]).toEqual([name, Math.min(description!.length, 200)]);
      expect(outputSchema).toEqual({ type: 'object', required: ['ok'] });
      for (const keyword of ['oneOf', 'anyOf', 'allOf', 'not', 'if', '$ref', '$defs'])
        expect(inputSchema).not.toHaveProperty(keyword);
      for (const [path, schema] of schemas(inputSchema)) {
        const where = `${name}${path}`;
        expect([where, typeof schema]).toEqual([where, 'object']);
        const {
          type,
          anyOf,
          additionalProperties,
          properties,
          enum: values = [],
          format = 'date',
        } = schema as Json;
        expect([where, typeof type]).toEqual([where, anyOf ? 'undefined' : 'string']);
        for (const keyword of REFUSED_BY_VENDORS)
          expect([where, schema]).not.toEqual([
            where,
            expect.objectContaining({ [keyword]: expect.anything() }),
          ]);
        for (const value of values) expect([where, value]).toEqual([where, expect.stringMatching(/./)]);
        expect([where, ['date', 'date-time']]).toEqual([where, expect.arrayContaining([format])]);
        if (properties) expect([where, additionalProperties]).toEqual([where, false]);
      }
    }
  });

  it('costs a model few tokens', () => {
    const encoder = new Tiktoken(o200k);
    // What reaches a model: the rest of a tool is for its client.
    const tokens = ({ name, description, inputSchema }: Tool) =>
      encoder.encode(JSON.stringify({ name, description, inputSchema })).length;
    const sum = (tools: Tool[]) => tools.reduce((total, tool) => total + tokens(tool), 0);
    const heavy = admin.filter((tool) => tokens(tool) > 720).map(({ name }) => name);
    expect(heavy).toEqual([]);
    // To shorten: the `description` of the operation in its *.controller.ts, the `hint` of a field in its
    // *.dto.ts.
    const all = sum(admin);
    expect({ all, fits: all <= 12_500 }).toEqual({ all, fits: true });
    const bytes = Buffer.byteLength(
      JSON.stringify(admin.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))),
    );
    expect({ bytes, fits: bytes <= 56_000 }).toEqual({ bytes, fits: true });
    const outputs = admin.reduce(
      (total, { outputSchema }) => total + encoder.encode(JSON.stringify(outputSchema)).length,
      0,
    );
    expect({ outputs, fits: outputs <= 1_000 }).toEqual({ outputs, fits: true });
    const whole = Buffer.byteLength(JSON.stringify(admin));
    expect({ whole, fits: whole <= 80_000 }).toEqual({ whole, fits: true });
  });
});

describe('the input schema for models', () => {
  @AtLeastOneOf('a', 'b')
  class Some {
    @Integer() id: number;
    @Integer({ optional: true }) a?: number;
    @Decimal({ min: 0, optional: true, nullable: true }) b?: number | null;
  }

  @ExactlyOneOf('a', 'b')
  class PartlyNamed {
    @Text({ min: 1, max: 9, description: 'Short.' }) id: string;
    @Uri({ orEmpty: true, optional: true, description: 'A sentence for people.', hint: 'A link.' })
    a?: string;
    @Text({ min: 2, optional: true, description: 'A sentence for people only, which is long.' }) b?: string;
    @Text({ optional: true, pattern: /^x/ }) c?: string;
    @Decimal({ optional: true, above: 0 }) d?: number;
    @Confirm() e: true;
  }

  @CrossField({ description: 'a comes with b.', check: () => null })
  class Untellable {
    @Integer({ max: 2_147_483_647 }) a: number;
    @Nested(() => PartlyNamed, { description: 'Which.' }) b: PartlyNamed;
  }

  it('states rules in words', () => {
    expect(toolSchema(Some)).toEqual({
      type: 'object',
      description: 'At least one of a, b is required.',
      properties: {
        id: { type: 'integer' },
        a: { type: 'integer' },
        b: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
      },
      required: ['id'],
      additionalProperties: false,
    });
  });

  it('keeps the constraints that a model needs', () => {
    const partly = {
      type: 'object',
      properties: {
        id: { type: 'string', maxLength: 9, description: 'Short.' },
        a: { type: 'string', description: 'A link.' },
        b: { type: 'string', minLength: 2 },
        c: { type: 'string', pattern: '^x' },
        d: { type: 'number' },
        e: { type: 'boolean', description: 'true.' },
      },
      required: ['id', 'e'],
      additionalProperties: false,
    };
    const rule = 'Exactly one of a, b is required.';
    expect(toolSchema(PartlyNamed)).toEqual({ ...partly, description: rule });
    expect(toolSchema(Untellable)).toEqual({
      type: 'object',
      description: 'a comes with b.',
      properties: { a: { type: 'integer' }, b: { ...partly, description: `Which. ${rule}` } },
      required: ['a', 'b'],
      additionalProperties: false,
    });
  });
});
