import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { toTool } from '../../../src/doors/mcp/tools.js';
import { type DtoClass, fields, InvalidItem } from '../../../src/platform/schema/field-spec.js';
import type { Sentence } from '../../../src/platform/problems.js';
import { rules } from '../../../src/platform/schema/rules.js';
import { isDateTime, isDay, isUri } from '../../../src/platform/schema/formats.js';
import { validateInput } from '../../../src/platform/schema/validate.js';
import { jsonSchema } from '../../../src/platform/schema/json/json-schema.js';
import { OperationError } from '../../../src/platform/errors.js';
import type { OperationSpec } from '../../../src/platform/call/endpoint.js';
import { OperationRegistry } from '../../../src/platform/call/operation.registry.js';
import { inputs } from '../../support/generated-inputs.js';
import { isSlow } from '../../support/slow.js';
import { useShop } from '../../support/test-app.js';

const VALUES = isSlow ? 12_000 : 6_000;
/** The same values on every run, so that a failure is one of this change. */
const SEED = 20261121;

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false });
ajv.addFormat('uri', (value) => isUri(value, ['http:', 'https:', 'tg:']));
ajv.addFormat('date-time', isDateTime);
ajv.addFormat('date', isDay);

/**
 * What validation says: null when it accepts, else its message. That of an item of a bulk operation is the
 * item's.
 */
function refusal(type: DtoClass, value: unknown): string | null {
  try {
    const input = validateInput(type, value);
    const items = Object.values(input).flat() as unknown[];
    return items.find((item) => item instanceof InvalidItem)?.problem.text ?? null;
  } catch (error) {
    if (error instanceof OperationError && error.code === 'invalid_input') return error.message;
    throw new Error(`${type.name} breaks on ${JSON.stringify(value)}`, { cause: error });
  }
}

const textOf = (problem: string | Sentence | null) => (typeof problem === 'string' ? problem : problem?.text);

/**
 * What rules say that no schema can tell, such as a count of decimals. Only for values that fit the schema.
 */
function untold(type: DtoClass, value: Record<string, any>): string[] {
  const own = rules(type).flatMap((rule) =>
    rule.schema && !rule.isToldInPart ? [] : (textOf(rule.check(value)) ?? []),
  );
  return fields(type).reduce((all, { name, nested }) => {
    const inner = value[name] ?? [];
    return nested ? all.concat([inner].flat().flatMap((item) => untold(nested.type(), item))) : all;
  }, own);
}

describe('the canonical schema', () => {
  let operations: OperationSpec[];

  const app = useShop();
  beforeAll(async () => {
    operations = app.nest.get(OperationRegistry).list();
  });

  it('never disagrees with the DTO, and a tool never refuses what its operation accepts', () => {
    const seen = { accepted: 0, refused: 0 };
    const numRuns = Math.ceil(VALUES / operations.length);
    for (const operation of operations) {
      const canonical = jsonSchema(operation.input);
      const fits = ajv.compile(canonical);
      const tool = ajv.compile(toTool(operation).inputSchema);
      const property = fc.property(inputs(canonical), (value) => {
        const message = refusal(operation.input, value);
        const rule = fits(value) ? untold(operation.input, value as Record<string, any>) : [];
        expectAgreement(operation, { value, message, rule, fits, tool });
        seen[message === null ? 'accepted' : 'refused']++;
      });
      fc.assert(property, { numRuns, seed: SEED });
    }
    expect(seen.accepted + seen.refused).toBeGreaterThanOrEqual(5_000);
    // The generator is worth its name: both verdicts are common.
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(VALUES / 5);
  });

  it('accepts at least one generated input of every operation, and refuses one', () => {
    for (const { name, input } of operations) {
      const fits = ajv.compile(jsonSchema(input));
      const verdicts = fc
        .sample(inputs(jsonSchema(input)), { numRuns: 100, seed: SEED })
        .map((value) => fits(value));
      expect([name, verdicts.includes(true), verdicts.includes(false)]).toEqual([name, true, true]);
    }
  });
});

/**
 * Numbers that reading them may have changed are refused at every depth, which a schema of free objects
 * cannot say.
 */
function hasInexactNumber(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInexactNumber);
}

interface Case {
  value: unknown;
  message: string | null;
  rule: string[];
  fits: ValidateFunction;
  tool: ValidateFunction;
}

function expectAgreement({ name }: OperationSpec, { value, message, rule, fits, tool }: Case): void {
  const schemaAccepts = fits(value) && rule.length === 0 && !hasInexactNumber(value);
  if (schemaAccepts !== (message === null)) {
    const ofSchema = schemaAccepts ? 'yes' : (ajv.errorsText(fits.errors) ?? rule.join());
    const verdict = `${name}: the DTO says ${message ?? 'yes'}, the schema ${ofSchema}`;
    throw new Error(`${verdict} to ${JSON.stringify(value)}`);
  }
  if (message === null && !tool(value)) {
    throw new Error(`${name}: the tool refuses ${JSON.stringify(value)}: ${ajv.errorsText(tool.errors)}`);
  }
}
