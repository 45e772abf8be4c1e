import { Injectable } from '@nestjs/common';
import type { Tool } from '@modelcontextprotocol/server';
import type { OperationSpec } from '../../platform/call/endpoint.js';
import { OperationRegistry } from '../../platform/call/operation.registry.js';
import { outputSchema, pageSchema } from '../../platform/schema/json/json-schema.js';
import type { Principal } from '../../platform/store/call.js';
import { couldHave } from '../../access/rights.js';
import { typedByShoppers } from './answer-notes.js';
import { appOf } from './apps/app-list.js';
import { toolSchema } from './tool-schema.js';
import type { Narrowing, ToolSelection } from './tool-selection.js';

/** How much of a description directories and clients show. */
const MAX_DESCRIPTION = 200;

/**
 * The envelope. It also fits refusals, because clients check the `structuredContent` of both. The
 * instructions describe its parts once.
 */
const OUTPUT_SCHEMA = { type: 'object' as const, required: ['ok'] };

/** The envelope with everything in it. */
function fullOutput({ output, list }: OperationSpec): Tool['outputSchema'] {
  const one = outputSchema(output);
  const error = {
    type: 'object',
    properties: { code: { type: 'string' }, message: { type: 'string' } },
    required: ['code', 'message'],
  };
  const data = list ? pageSchema(one, output, list) : one;
  return { type: 'object', properties: { ok: { type: 'boolean' }, data, error }, required: ['ok'] };
}

/** The operations as tools. */
@Injectable()
export class Tools {
  private readonly tools = new Map<OperationSpec, Tool>();

  constructor(private readonly operations: OperationRegistry) {}

  /**
   * The tools of a selection, in alphabetical order, that a token's scope and groups allow; for an app those
   * that the person could still grant, because a call of one more asks the person (docs/behaviour.md §8).
   */
  list(principal: Principal, selection: ToolSelection, outputs: Narrowing['outputs']): Tool[] {
    const callable = this.callable(principal, selection);
    const tools = callable.map((operation) => this.toolOf(operation));
    if (outputs === 'short') return tools;
    return tools.map((tool, i) => ({ ...tool, outputSchema: fullOutput(callable[i]) }));
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
  const own = operation.description ?? summary;
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
