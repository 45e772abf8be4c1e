import { Injectable } from '@nestjs/common';
import { type CallToolRequest, INVALID_PARAMS, ProtocolError } from '@modelcontextprotocol/server';
import type { Request, Response } from 'express';
import { Histogram } from 'prom-client';
import { CallRefusal } from '../../platform/call/refusal.filter.js';
import type { Call } from '../../platform/store/call.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { couldBeGranted } from '../../access/rights.js';
import type { PreviewChangeInput } from '../../groups/activity/activity.dto.js';
import { invalidInput } from '../../platform/errors.js';
import { isPlainObject } from '../../platform/schema/field-spec.js';
import { validateInput } from '../../platform/schema/validate.js';
import type { OperationEndpoint } from '../../platform/call/endpoint.js';
import { OperationRegistry } from '../../platform/call/operation.registry.js';
import { Metrics } from '../../platform/observability/metrics.js';
import { noted } from './answer-notes.js';
import { shownStore } from './connection/shown-store.js';
import { AskPerson, Person, type PersonAnswers } from './person.service.js';
import type { Outcome } from './tool-answer.js';
import type { Narrowing, ToolSelection } from './tool-selection.js';

/** One message and its HTTP request and response. */
export interface CallMessage {
  request: Request;
  response: Response;
  /** The message as it was sent. */
  message: unknown;
  /** The tools that are available to its client. */
  selection: ToolSelection;
  outputs: Narrowing['outputs'];
  /** The operation that it calls, if that is available to its client. Looked up once. */
  tool: OperationEndpoint | undefined;
}

/** The connections to the caller during a call: progress and cancellation. */
export type CallControls = Pick<Call, 'progress' | 'signal'>;

/**
 * Hosts cut answers of more than 25,000 tokens. Lists consist of ids and figures, which take at worst one
 * token for every 1.6 bytes.
 */
const PAGE_BYTES = 40_000;

/** The names in `_meta` under which a tool call sends what HTTP calls send in headers. */
const META_NAMES = ['idempotencyKey', 'ifMatch'] as const;

/** Runs tool calls as operations, through the same checks as HTTP. */
@Injectable()
export class ToolCalls {
  private readonly durations: Histogram<'tool' | 'outcome'>;

  constructor(
    private readonly operations: OperationRegistry,
    private readonly refusals: CallRefusal,
    private readonly person: Person,
    private readonly metrics: Metrics,
  ) {
    this.durations = new Histogram({
      name: 'shop_tool_duration_seconds',
      help: 'Tool calls by tool and outcome: ok, asked (a person first), or the code of the refusal',
      labelNames: ['tool', 'outcome'],
      buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 10],
      registers: [metrics.registry],
    });
  }

  toolOf(message: unknown, selection: ToolSelection): OperationEndpoint | undefined {
    const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } };
    const operation = method === 'tools/call' ? this.operations.find(String(params?.name)) : undefined;
    return operation && selection(operation) ? operation : undefined;
  }

  /**
   * @param answers of the person, if the client can ask one
   * @throws ProtocolError for a tool that does not exist, AskPerson if the person has to be asked first
   */
  async run(
    message: CallMessage,
    params: CallToolRequest['params'],
    controls: CallControls,
    answers?: PersonAnswers,
  ): Promise<Outcome> {
    const call = toCall(message, params, controls);
    const { tool, request } = message;
    const startedAt = performance.now();
    let outcome = 'ok';
    try {
      if (!tool) return await this.operations.refuseUnknown(call, unknownTool(params.name));
      request.call.operation = tool.name;
      let store: string | undefined;
      const admit = namesStore(tool)
        ? async (ctx: StoreContext, isRepeat: boolean) => {
            store = (await shownStore(ctx)).name;
            if (tool.asks && answers?.canAsk && !isRepeat) await this.person.admit(tool, call, ctx, answers);
          }
        : undefined;
      const envelope = await this.operations.invoke(tool, call, admit);
      return { ...noted(tool, envelope, call.principal!.currency, store), isError: false };
    } catch (error) {
      if (error instanceof AskPerson) {
        outcome = 'asked';
        throw error;
      }
      const refusal = this.refusals.refusalOf(error, call);
      outcome = refusal.code;
      if (!tool) throw new ProtocolError(INVALID_PARAMS, refusal.message, refusal.envelope());
      // The HTTP answer, by which calls are counted, is 200.
      if (refusal.status < 500) this.metrics.stores.count(call.principal!.storeId, 'refusals');
      return { envelope: JSON.stringify(refusal.envelope()), notes: null, isError: true };
    } finally {
      const ms = performance.now() - startedAt - (call.waitedMs ?? 0);
      if (tool) this.durations.observe({ tool: tool.name, outcome }, ms / 1000);
    }
  }

  /**
   * Refuses a call that the person could still allow, so that the client asks them. For that the refusal must
   * be an HTTP answer, unlike other errors of tools. It is counted and audited like any other.
   * @throws OperationError forbidden, rate_limited
   */
  async refuseUngranted(message: CallMessage): Promise<void> {
    const { tool, request } = message;
    if (!tool) return;
    const isRefused = ({ name }: OperationEndpoint) =>
      couldBeGranted(request.call.principal!, this.operations.neededFor(name));
    const previewed = tool.name === 'preview_change' ? this.previewedBy(tool, message) : undefined;
    if (isRefused(tool) || (previewed && isRefused(previewed)))
      await this.operations.invoke(tool, toCall(message, { name: tool.name }, {}));
  }

  /** What a call of preview_change would run, if nothing but rights can refuse it before that. */
  private previewedBy(tool: OperationEndpoint, { message, selection }: CallMessage) {
    let input: PreviewChangeInput;
    try {
      input = validateInput(tool.input, argumentsOf(message)) as PreviewChangeInput;
    } catch {
      // The call itself says what is wrong with it.
      return undefined;
    }
    const previewed = this.operations.find(input.operation);
    const canRun = previewed && previewed.scope !== 'read' && previewed.preview !== 'none';
    return canRun && selection(previewed) ? previewed : undefined;
  }
}

/** Where a mistaken store would cost most: what a person confirms, in a question or before applying it. */
const namesStore = ({ asks, name }: OperationEndpoint) => asks !== undefined || name === 'preview_change';

const unknownTool = (name: string) =>
  `There is no tool ${name.slice(0, 100)}; tools/list names those there are`;

function toCall(
  { request, message, selection, tool }: CallMessage,
  params: CallToolRequest['params'],
  controls: CallControls,
): Call {
  const { requestId, address, principal, identify, traceId, setHeader } = request.call;
  const meta: Record<string, unknown> = params._meta ?? {};
  return {
    transport: 'mcp',
    isAvailable: selection,
    pageBytes: PAGE_BYTES,
    requestId,
    traceId,
    address,
    principal,
    identify,
    headers: headersOf(meta),
    setHeader,
    body: async () => {
      refuseBadMeta(meta);
      return argumentsOf(message);
    },
    // Older clients that disconnect have not cancelled their call, but nobody waits for a feed any more.
    ...(tool?.list === 'feed' ? { signal: request.call.signal } : {}),
    ...controls,
  };
}

/**
 * Reads the arguments from the message itself, because the protocol's parsing removes unknown properties,
 * which the operation must see.
 */
function argumentsOf(message: unknown): object {
  const { arguments: given = {} } = (message as { params: { arguments?: unknown } }).params;
  if (!isPlainObject(given)) throw invalidInput('arguments must be a JSON object');
  return given;
}

/**
 * All headers that operations use. Those of the HTTP request are a client's settings for all its calls, so
 * they are not used.
 */
function headersOf({ idempotencyKey, ifMatch }: Record<string, unknown>): Call['headers'] {
  return { 'idempotency-key': textOf(idempotencyKey), 'if-match': textOf(ifMatch) };
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

function refuseBadMeta(meta: Record<string, unknown>): void {
  for (const key of META_NAMES) {
    if (meta[key] !== undefined && typeof meta[key] !== 'string')
      throw invalidInput(`_meta.${key} must be a string`);
  }
}
