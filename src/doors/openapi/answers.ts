import { ERROR_STATUS, type ErrorCode, WHILE_AWAY } from '../../platform/errors.js';
import type { JsonSchema } from '../../platform/schema/field-spec.js';
import type { Data, NamedSchemas } from './named-schemas.js';

/** For each refusal, when the callers of a door get it, and an example of its message. */
export type Refusals = Record<Refused, Refusal>;
interface Refusal {
  description: string;
  message: string;
}

const header = (description: string, minimum = 0) => ({ description, schema: { type: 'integer', minimum } });

const RETRY_AFTER = { 'Retry-After': header('Seconds to wait before the next call.', 1) };
/** The headers of every answer to a caller who is known. */
const HEADERS = {
  'X-Request-Id': { description: 'The id of the call, or a new one.', schema: { type: 'string' } },
  'RateLimit-Limit': header('Calls of this kind that are allowed in 60 s.'),
  'RateLimit-Remaining': header('How many of them are left now.'),
  'RateLimit-Reset': header('Seconds until a call is given back.'),
};

/** The headers of some successes. */
const OF_REPEATS = {
  'Idempotent-Replayed': {
    description: 'On the first answer, sent again to a repeat with the same Idempotency-Key; else absent.',
    schema: { type: 'string', enum: ['true'] },
  },
};

const references = (headers: object) =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]));
const HEADERS_NAMED = references(HEADERS);

const EVERY_REFUSAL = [
  'invalid_input',
  'invalid_token',
  'forbidden',
  'not_found',
  'precondition_failed',
  'rate_limited',
  'internal_error',
] as const satisfies ErrorCode[];
type Refused = (typeof EVERY_REFUSAL)[number];

/** Every door answers so while it cannot reach the database (docs/behaviour.md §16). */
const AWAY: Refusal = {
  description: 'The database is away. The message says whether the call can be sent again.',
  message: WHILE_AWAY.unchanged,
};

/** The name of the component for an error code: InvalidInput for invalid_input. */
const nameOf = (code: string) => code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * The named responses of one document: one for each kind of data, one for each refusal. None has the name of
 * a schema, because some generators make types of both.
 */
export class Answers {
  private readonly answers: Record<string, object> = {};

  constructor(
    private readonly schemas: NamedSchemas,
    private readonly refusals: Refusals,
    /** The problems that refusals name beside their codes; undefined at a door whose refusals name none. */
    private readonly problems?: readonly string[],
  ) {}

  /**
   * The responses of an endpoint, by status.
   * @param mayBeOutdated whether the endpoint answers 412
   */
  of(data: Data, mayBeOutdated = false): Record<string, object> {
    return this.with(
      this.named(`${data.name}Answer`, () => success(data)),
      mayBeOutdated,
    );
  }

  /**
   * The responses of an endpoint that answers with a stream of media type `type`; `text` is the Media Type
   * Object of its content.
   */
  ofStream(type: string, text: object): Record<string, object> {
    return this.with({ description: 'Done.', headers: HEADERS_NAMED, content: { [type]: text } });
  }

  private with(success: object, mayBeOutdated = false): Record<string, object> {
    const codes = EVERY_REFUSAL.filter((code) => mayBeOutdated || code !== 'precondition_failed');
    return {
      200: success,
      ...Object.fromEntries(
        codes.map((code) => [ERROR_STATUS[code], this.named(nameOf(code), () => this.refusal(code))]),
      ),
      503: this.named('Unavailable', () => this.answer('internal_error', AWAY, RETRY_AFTER)),
    };
  }

  /** The responses, in alphabetical order, and the headers, for the document's components. */
  components(): { headers: object; responses: object } {
    return {
      headers: { ...HEADERS, ...OF_REPEATS },
      responses: Object.fromEntries(Object.entries(this.answers).sort(([a], [b]) => (a < b ? -1 : 1))),
    };
  }

  private named(name: string, write: () => object): object {
    this.answers[name] ??= write();
    return { $ref: `#/components/responses/${name}` };
  }

  private refusal(code: Refused): object {
    const headers = code === 'rate_limited' ? { ...RETRY_AFTER, ...HEADERS_NAMED } : undefined;
    return this.answer(code, this.refusals[code], headers);
  }

  private answer(code: ErrorCode, { description, message }: Refusal, headers?: object): object {
    const schema = this.schemas.named('ErrorResponse', 'a refusal', () => refusalSchema(this.problems));
    return {
      ...{ description, ...(headers && { headers }) },
      ...json(schema, {
        ok: false,
        error: { code, message, ...(this.problems && { problem: code, values: {} }) },
      }),
    };
  }
}

const json = (schema: JsonSchema, value: object) => ({
  content: { 'application/json': { schema, examples: { example: { value } } } },
});

const success = ({ schema, example }: Data) => ({
  description: 'Done.',
  headers: { ...HEADERS_NAMED, ...references(OF_REPEATS) },
  ...json(envelope(true, 'data', schema), { ok: true, data: example }),
});

const envelope = (ok: boolean, content: string, schema: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { ok: { const: ok }, [content]: schema },
  required: ['ok', content],
  additionalProperties: false,
});

const CODE_AND_MESSAGE = {
  code: { type: 'string', enum: Object.keys(ERROR_STATUS) },
  message: { type: 'string', description: 'For people; its wording may change.' },
};

function refusalSchema(problems: readonly string[] | undefined): JsonSchema {
  const forPages = problems && {
    problem: { type: 'string', description: `By which pages word it: ${problems.join(', ')}, or the code.` },
    values: { type: 'object', description: 'What these words name.' },
  };
  const properties = { ...CODE_AND_MESSAGE, ...forPages };
  const required = Object.keys(properties);
  return envelope(false, 'error', { type: 'object', properties, required, additionalProperties: false });
}
