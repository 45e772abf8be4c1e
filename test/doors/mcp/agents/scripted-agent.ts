import type { Tool } from '@modelcontextprotocol/client';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { Tiktoken } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import type { TestApp } from '../../../support/test-app.js';
import { envelopeOf, RawClient } from '../raw-client.js';

const encoder = new Tiktoken(cl100k);
const tokensIn = (text: string) => encoder.encode(text).length;
const A_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
const ajv = new Ajv2020({
  strict: false,
  formats: { 'date-time': (text) => A_TIME.test(text), date: true },
});
const AN_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-/;

/** A value that the agent worked out or wrote, as a model does with prices, times and texts. Never an id. */
class Own {
  constructor(readonly value: string | number) {}
}
export const own = (value: string | number) => new Own(value);

/**
 * An agent whose calls a test writes, held to what a model could know: it has the instructions of the
 * connection, the list of tools, the sentence of the owner and the answers so far. A call of a tool that is
 * not listed fails, and so does an input that the tool's schema refuses, and a value that it has read nowhere
 * and did not mark as its own.
 */
export class ScriptedAgent {
  private texts: string[] = [];
  private calls = 0;
  private tokens = 0;
  private records = 0;

  private constructor(
    private readonly client: RawClient,
    readonly instructions: string,
    private readonly tools: Map<string, { tool: Tool; accepts: ValidateFunction }>,
  ) {}

  static async connect(app: TestApp, token: string): Promise<ScriptedAgent> {
    const client = new RawClient(app, token, 'modern');
    const { instructions } = (await client.send('server/discover')).messages[0].result;
    const { tools } = (await client.send('tools/list')).messages[0].result as { tools: Tool[] };
    const known = tools.map((tool) => [tool.name, { tool, accepts: ajv.compile(tool.inputSchema) }] as const);
    return new ScriptedAgent(client, instructions, new Map(known));
  }

  /** Begins a job: what was read for an earlier one is forgotten. @param sentence what the owner says */
  hear(sentence: string): void {
    this.texts = [this.instructions, sentence];
    this.calls = this.tokens = this.records = 0;
  }

  /** What the job cost: what the model wrote and read, beside the list of tools. */
  get spent() {
    return { calls: this.calls, tokens: this.tokens, records: this.records };
  }

  /** The first match in what has been read: a group of the pattern, or all of it. */
  read(pattern: RegExp): string {
    const found = this.texts.map((text) => pattern.exec(text)).find((match) => match !== null);
    if (!found) throw new Error(`nothing that was read matches ${pattern}`);
    return found[1] ?? found[0];
  }

  /** A tool, as the list describes it. */
  tool(name: string): Tool {
    return this.tools.get(name)!.tool;
  }

  /** Calls a tool. @param input its arguments, with `own` values inside @returns the data of its answer */
  async call(name: string, input: object = {}): Promise<any> {
    const known = this.tools.get(name);
    if (!known) throw new Error(`${name} is not in the list of tools`);
    this.requireRead(input, known.tool, name);
    const plain = JSON.parse(
      JSON.stringify(input, (_, value) => (value instanceof Own ? value.value : value)),
    );
    if (!known.accepts(plain))
      throw new Error(`${name} does not accept this: ${ajv.errorsText(known.accepts.errors)}`);
    const result = await this.client.call(name, plain);
    const envelope = envelopeOf(result);
    const texts = (result.content as { text: string }[]).map(({ text }) => text);
    this.texts.push(...texts);
    this.calls++;
    this.tokens += [JSON.stringify({ name, input: plain }), ...texts].reduce(
      (sum, text) => sum + tokensIn(text),
      0,
    );
    if (!envelope.ok) throw new Error(`${name} was refused: ${envelope.error!.message}`);
    const { items, rows } = envelope.data;
    this.records += (items ?? rows ?? []).length;
    return envelope.data;
  }

  /** Every value was read somewhere, is a choice of the tool's schema, or is the agent's own. */
  private requireRead(value: unknown, tool: Tool, path: string): void {
    if (value instanceof Own) {
      if (AN_ID.test(String(value.value))) throw new Error(`${path}: an agent makes up no ids`);
      return;
    }
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) this.requireRead(inner, tool, `${path}.${key}`);
      return;
    }
    if (typeof value !== 'string' && typeof value !== 'number') return;
    const texts = [...this.texts, JSON.stringify(tool), ...[...this.tools.keys()]];
    if (!texts.some((text) => contains(text, value))) throw new Error(`${path}: ${value} was read nowhere`);
  }
}

function contains(text: string, value: string | number): boolean {
  const written = typeof value === 'number' ? String(value) : JSON.stringify(value).slice(1, -1);
  const at = text.indexOf(written);
  if (at < 0 || typeof value === 'string') return at >= 0 || text.includes(String(value));
  return new RegExp(`(?<![\\d.])${written.replace('.', '\\.')}(?![\\d]|\\.\\d)`).test(text);
}
