import { Injectable } from '@nestjs/common';
import { type CallToolRequest, INVALID_PARAMS, ProtocolError } from '@modelcontextprotocol/server';
import type { Request, Response } from 'express';
import { Histogram } from 'prom-client';
import { CallRefusal } from '../../platform/call/refusal.filter.js';
import type { Call } from '../../platform/store/call.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { couldBeGranted } from '../../access/rights.js';
import type { PreviewChangeInput, PreviewRecord } from '../../groups/activity/activity.dto.js';
import { invalidInput, type OperationError } from '../../platform/errors.js';
import { isPlainObject } from '../../platform/schema/json/parse-input.js';
import { validateInput } from '../../platform/schema/validate.js';
import type { OperationEndpoint } from '../../platform/call/endpoint.js';
import { OperationRegistry } from '../../platform/call/operation.registry.js';
import { warningsIn } from '../../platform/call/previews/previews.service.js';
import { Metrics } from '../../platform/observability/metrics.js';
import { noted } from './answer-notes.js';
import { callerFor, type InnerCall } from './compact/compact.js';
import { shownStore } from './connection/shown-store.js';
import { ApprovalNotices } from '../../notices/approval-notices.service.js';
import { AskPerson, HeldBack, Person, type PersonAnswers } from './person.service.js';
import { shortened } from './short-answers.js';
import { mayAsk, toTool, Tools } from './tools.js';
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
  compact: Narrowing['compact'];
  /** The call that it makes by way of a tool of the short list. */
  inner: InnerCall | null;
  /** Whether it is a call of find_tools. */
  isFind: boolean;
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
    private readonly tools: Tools,
    private readonly notices: ApprovalNotices,
  ) {
    this.durations = new Histogram({
      name: 'shop_tool_duration_seconds',
      help: 'Tool calls by tool and outcome: ok, asked (a person first), or the code of the refusal',
      labelNames: ['tool', 'outcome'],
      buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 10],
      registers: [metrics.registry],
    });
  }

  toolOf(message: unknown, selection: ToolSelection, inner: InnerCall | null): OperationEndpoint | undefined {
    const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } };
    const name = inner ? inner.name : String(params?.name);
    const operation = method === 'tools/call' ? this.operations.find(name) : undefined;
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
    const { tool } = message;
    const startedAt = performance.now();
    let outcome = 'ok';
    try {
      return message.isFind ? this.find(message) : await this.answerOf(message, call, params.name, answers);
    } catch (error) {
      if (error instanceof AskPerson) {
        outcome = 'asked';
        throw error;
      }
      const refusal = this.refusals.refusalOf(error, call);
      outcome = refusal.code;
      if (!tool && !message.inner && !message.isFind)
        throw new ProtocolError(INVALID_PARAMS, refusal.message, refusal.envelope());
      // The HTTP answer, by which calls are counted, is 200.
      if (refusal.status < 500) this.metrics.stores.count(call.auth.principal!.storeId, 'refusals');
      const envelope = tool && message.inner ? withSchema(tool, refusal) : refusal.envelope();
      return { envelope: JSON.stringify(envelope), notes: null, isError: true };
    } finally {
      const ms = performance.now() - startedAt - (call.timing.waitedMs ?? 0);
      if (tool) this.durations.observe({ tool: tool.name, outcome }, ms / 1000);
    }
  }

  private async answerOf(
    message: CallMessage,
    call: Call,
    called: string,
    answers?: PersonAnswers,
  ): Promise<Outcome> {
    const { tool, request } = message;
    if (!tool || !isRightCaller(message))
      return this.operations.refuseUnknown(call, this.wayTo(message, called));
    request.call.operation = tool.name;
    let store: string | undefined;
    const isAsked = mayAsk(tool) && (answers?.canAsk ?? false);
    const isHeld = mayAsk(tool) && !isAsked && call.auth.principal!.consent?.asksFirst === true;
    const admit = async (ctx: StoreContext, isRepeat: boolean) => {
      if (namesStore(tool)) store = (await shownStore(ctx)).name;
      if (isAsked && !isRepeat) await this.person.admit(tool, call, ctx, answers!);
      if (isHeld && !isRepeat) await this.person.hold(tool, call, ctx);
    };
    try {
      const isAdmitted = namesStore(tool) || isAsked || isHeld;
      const whole = await this.operations.invoke(tool, call, isAdmitted ? admit : undefined);
      const envelope = shortened(tool, whole, call.input!);
      return { ...noted(tool, envelope, call.auth.principal!.currency, store), isError: false };
    } catch (error) {
      if (error instanceof HeldBack) return this.held(call, error);
      throw error;
    }
  }

  /** What was held back waits for a person on the page of approvals. */
  private async held(call: Call, { operation, input, question }: HeldBack): Promise<Outcome> {
    const previewing = this.operations.find('preview_change')!;
    const body = () => Promise.resolve({ operation: operation.name, input });
    const asking: Call = { ...call, headers: {}, body, approval: { question }, answer: { isForPages: true } };
    const whole = await this.operations.invoke(previewing, asking);
    const { data } = JSON.parse(shortened(previewing, whole, {})) as { data: PreviewRecord };
    const { previewId, rows, answer } = data;
    const warnings = warningsIn(answer).map(({ text }) => text);
    const { storeId, consent } = call.auth.principal!;
    if (!asking.approval!.isAsked) this.notices.tell(call.auth.principal!, question);
    const approve = `${consent!.address}/dashboard/${storeId}/approvals`;
    const envelope = { ok: true, data: { preview: true, previewId, approve, rows, warnings } };
    const notes = `Nothing was done yet: ask the person to approve it at ${approve}, then call apply_change.`;
    return { envelope: JSON.stringify(envelope), notes, isError: false };
  }

  /** @throws OperationError invalid_input */
  private find({ request, selection, message }: CallMessage): Outcome {
    const { text } = (givenTo(message) ?? {}) as { text?: unknown };
    if (typeof text !== 'string' || text.trim() === '')
      throw invalidInput('text is required and must be a string: what is to be done, in words');
    const data = this.tools.find(request.call.auth.principal!, selection, text);
    return { envelope: JSON.stringify({ ok: true, data }), notes: null, isError: false };
  }

  /** What a caller of no tool, or by way of the wrong one, is told. */
  private wayTo({ request, selection, tool, inner }: CallMessage, called: string): string {
    if (tool) return `${tool.name} is called by way of ${callerFor(tool.scope)}`;
    const name = (inner?.name ?? called).slice(0, LONGEST_NAME);
    const { tools, more } = this.tools.find(
      request.call.auth.principal!,
      selection,
      name.replaceAll('_', ' '),
    );
    const near = [...tools.map((found) => found.name), ...more].slice(0, MOST_NEAR);
    const similar = near.length > 0 ? `similar are ${near.join(', ')}` : 'tools/list names those there are';
    return `There is no tool ${name}; ${similar}`;
  }

  /**
   * Refuses a call that the person could still allow, so that the client asks them. For that the refusal must
   * be an HTTP answer, unlike other errors of tools. It is counted and audited like any other.
   * @returns undefined if there is nothing to refuse
   * @throws OperationError forbidden, rate_limited
   */
  refuseUngranted(message: CallMessage): Promise<unknown> | undefined {
    const { tool, request } = message;
    if (!tool) return undefined;
    const isRefused = ({ name }: OperationEndpoint) =>
      couldBeGranted(request.call.auth.principal!, this.operations.neededFor(name));
    const previewed = tool.name === 'preview_change' ? this.previewedBy(tool, message) : undefined;
    return isRefused(tool) || (previewed && isRefused(previewed))
      ? this.operations.invoke(tool, toCall(message, { name: tool.name }, {}))
      : undefined;
  }

  /** What a call of preview_change would run, if nothing but rights can refuse it before that. */
  private previewedBy(tool: OperationEndpoint, { message, selection, inner }: CallMessage) {
    let input: PreviewChangeInput;
    try {
      input = validateInput(tool.input, argumentsOf(message, inner)) as PreviewChangeInput;
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

/** How many tools a refusal names that are like the one that there is not. */
const MOST_NEAR = 3;
const LONGEST_NAME = 100;

const isRightCaller = ({ tool, inner }: CallMessage): boolean =>
  inner === null || (tool !== undefined && inner.via === callerFor(tool.scope));

/** Whoever calls by way of another tool has not seen the schema, or has forgotten it. */
function withSchema(tool: OperationEndpoint, refusal: OperationError): object {
  const envelope = refusal.envelope() as { ok: false; error: { code: string; message: string } };
  if (refusal.code !== 'invalid_input') return envelope;
  const schema = JSON.stringify(toTool(tool).inputSchema);
  const message = `${envelope.error.message}. ${tool.name} takes: ${schema}`;
  return { ...envelope, error: { ...envelope.error, message } };
}

function toCall(
  { request, message, selection, tool, inner }: CallMessage,
  params: CallToolRequest['params'],
  controls: CallControls,
): Call {
  const { requestId, address, auth, traceId, setHeader } = request.call;
  const meta: Record<string, unknown> = params._meta ?? {};
  return {
    transport: 'mcp',
    auth: { principal: auth.principal, identity: auth.identity, isAvailable: selection },
    answer: { pageBytes: PAGE_BYTES },
    timing: {},
    requestId,
    traceId,
    address,
    headers: headersOf(meta),
    setHeader,
    body: async () => {
      refuseBadMeta(meta);
      return argumentsOf(message, inner);
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
function argumentsOf(message: unknown, inner: InnerCall | null): object {
  const given = inner ? inner.given : givenTo(message);
  if (!isPlainObject(given)) throw invalidInput('arguments must be a JSON object');
  return given;
}

function givenTo(message: unknown): unknown {
  const { arguments: given = {} } = (message as { params: { arguments?: unknown } }).params;
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
