import { Injectable } from '@nestjs/common';
import type { Tool } from '@modelcontextprotocol/server';
import type { OperationSpec } from '../../platform/call/endpoint.js';
import { OperationRegistry } from '../../platform/call/operation.registry.js';
import { outputSchema, pageSchema } from '../../platform/schema/json/json-schema.js';
import type { Principal } from '../../platform/store/call.js';
import { couldHave, SCOPES } from '../../access/rights.js';
import { typedByShoppers } from './answer-notes.js';
import { appOf } from './apps/app-list.js';
import { CALLING, callerFor, FINDER } from './compact/compact.js';
import { byUse, EVERYDAY } from './compact/everyday.js';
import { searchTools } from './compact/tool-search.js';
import { shortenedSchema } from './short-answers.js';
import { toolSchema } from './tool-schema.js';
import { TOOL_WORDS } from './compact/tool-words.js';
import { EVERYTHING, type Narrowing, type ToolSelection } from './tool-selection.js';

/** How much of a description directories and clients show. */
const MAX_DESCRIPTION = 200;

/**
 * The envelope. It also fits refusals, because clients check the `structuredContent` of both. The
 * instructions describe its parts once.
 */
const OUTPUT_SCHEMA = { type: 'object' as const, required: ['ok'] };

/** What a call is answered that waits for a person to approve it. */
const HELD = {
  type: 'object',
  properties: {
    preview: { type: 'boolean', enum: [true] },
    previewId: { type: 'string' },
    approve: { type: 'string' },
    rows: { type: 'array', items: { type: 'object' } },
    warnings: { type: 'array', items: { type: 'string' } },
  },
  required: ['preview', 'previewId', 'approve', 'rows', 'warnings'],
  additionalProperties: false,
};

/** The envelope with everything in it. */
function fullOutput(operation: OperationSpec): Tool['outputSchema'] {
  const { output, list } = operation;
  const one = shortenedSchema(operation, outputSchema(output));
  const error = {
    type: 'object',
    properties: { code: { type: 'string' }, message: { type: 'string' } },
    required: ['code', 'message'],
  };
  const whole = list ? pageSchema(one, output, list) : one;
  const data = mayAsk(operation) ? { anyOf: [whole, HELD] } : whole;
  return { type: 'object', properties: { ok: { type: 'boolean' }, data, error }, required: ['ok'] };
}

/** How much find_tools answers with schemas, in bytes and tools, and how many more it names. */
const FOUND_BYTES = 4_000;
const MOST_FOUND = 5;
const MOST_NAMED = 12;

/** What find_tools answers. */
export interface FoundTools {
  tools: { name: string; call: string; description: string; inputSchema: Tool['inputSchema'] }[];
  more: string[];
}

/** The operations as tools. */
@Injectable()
export class Tools {
  private readonly tools = new Map<OperationSpec, Tool>();

  constructor(private readonly operations: OperationRegistry) {}

  /**
   * The tools of a selection, by name, or all of them by use, that a token's scope and groups allow; for an
   * app those that the person could still grant, because a call of one more asks the person
   * (docs/behaviour.md §8).
   */
  list(principal: Principal, selection: ToolSelection, outputs: Narrowing['outputs']): Tool[] {
    const all = this.callable(principal, selection);
    const callable = selection === EVERYTHING ? byUse(all) : all;
    const tools = callable.map((operation) => this.toolOf(operation));
    if (outputs === 'short') return tools;
    return tools.map((tool, i) => ({ ...tool, outputSchema: fullOutput(callable[i]) }));
  }

  /** The tools of every day, those of the given groups and names, and the tools that find and call others. */
  compact(principal: Principal, selection: ToolSelection, more: readonly string[]): Tool[] {
    const callable = this.callable(principal, selection);
    const isListed = ({ name }: OperationSpec) =>
      EVERYDAY.includes(name) || more.includes(name) || more.includes(this.operations.groupOf(name));
    const callers = SCOPES.filter((scope) => callable.some((operation) => operation.scope === scope));
    return [
      ...byUse(callable.filter(isListed)).map((operation) => this.toolOf(operation)),
      FINDER,
      ...callers.map((scope) => CALLING[scope]),
    ];
  }

  /** The tools that fit the words, best first: with their schemas as far as there is room, then names. */
  find(principal: Principal, selection: ToolSelection, text: string): FoundTools {
    const all = this.callable(principal, selection).map((operation) => ({
      tool: this.toolOf(operation),
      group: this.operations.groupOf(operation.name),
    }));
    const found = searchTools(all, text);
    const tools: FoundTools['tools'] = [];
    let room = FOUND_BYTES;
    for (const { name, description, inputSchema } of found.slice(0, MOST_FOUND)) {
      const { scope } = this.operations.find(name)!;
      const call = EVERYDAY.includes(name) ? name : callerFor(scope);
      const one = { name, call, description: description!, inputSchema };
      room -= JSON.stringify(one).length;
      if (tools.length > 0 && room < 0) break;
      tools.push(one);
    }
    const more = found.slice(tools.length, tools.length + MOST_NAMED).map(({ name }) => name);
    return { tools, more };
  }

  /** The operations of that list. */
  callable(principal: Principal, selection: ToolSelection): OperationSpec[] {
    return this.operations
      .list()
      .filter(
        (operation) =>
          couldHave(principal, this.operations.neededFor(operation.name)) && selection(operation),
      );
  }

  private toolOf(operation: OperationSpec): Tool {
    let tool = this.tools.get(operation);
    if (!tool) this.tools.set(operation, (tool = toTool(operation)));
    return tool;
  }
}

/**
 * The operation as a tool. Rules that the schema cannot express, and what shoppers typed, go into the
 * description, or into the schema's if that is too long.
 */
export function toTool(operation: OperationSpec): Tool {
  const { name, summary, scope } = operation;
  const { description: rule, ...inputSchema } = toolSchema(operation.input);
  const own = [operation.description ?? summary, TOOL_WORDS[name]].filter(Boolean).join(' ');
  const more = [rule as string | undefined, shopperText(operation)].filter(Boolean).join(' ');
  const whole = more === '' ? own : `${own} ${more}`;
  const fits = whole.length <= MAX_DESCRIPTION;
  const _meta = appOf(name);
  return {
    name,
    title: summary,
    description: fits ? whole : own,
    inputSchema: { ...inputSchema, ...(fits ? {} : { description: more }), type: 'object' },
    outputSchema: OUTPUT_SCHEMA,
    annotations: {
      title: summary,
      readOnlyHint: scope === 'read',
      destructiveHint: scope !== 'read' && !operation.additive,
      idempotentHint: operation.idempotent ?? scope === 'read',
      openWorldHint: operation.openWorld ?? false,
    },
    ...(_meta && { _meta }),
  };
}

/** Some hosts show a model nothing but the description and the structured content. */
function shopperText({ output }: OperationSpec): string {
  const names = typedByShoppers(output);
  return names.length === 0 ? '' : `Typed by shoppers: ${names.join(', ')}.`;
}

/** Whether there are calls of a tool that a person is asked about. */
export const mayAsk = ({ asks, scope, preview }: OperationSpec): boolean =>
  asks !== undefined || (scope !== 'read' && preview !== 'none');
