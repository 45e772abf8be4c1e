import { Injectable } from '@nestjs/common';
import { inputRequired, type InputRequiredResult, inputResponse } from '@modelcontextprotocol/server';
import type { ApplyChangeInput, UndoChangeInput } from '../../groups/activity/activity.dto.js';
import { UndoService } from '../../groups/activity/undo.service.js';
import { inputHash } from '../../platform/call/idempotency.js';
import type { OperationEndpoint } from '../../platform/call/endpoint.js';
import { MANY, numberOf } from '../../platform/call/previews/counted.js';
import { Previews } from '../../platform/call/previews/previews.service.js';
import { Clock } from '../../platform/clock.js';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import { forbidden } from '../../platform/errors.js';
import { newId } from '../../platform/ids.js';
import { fieldsByName } from '../../platform/schema/field-spec.js';
import { isPlainObject } from '../../platform/schema/json/parse-input.js';
import type { Call } from '../../platform/store/call.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { shownStore } from './connection/shown-store.js';

/** How long a person may think. */
const ANSWERED_WITHIN_MS = 10 * 60_000;
/** The name of the question in a message; the protocol wants one. */
const QUESTION = 'confirm';

/** What a client of revision 2026-07-28 says in a call about its person. */
export interface PersonAnswers {
  /** Whether the client can ask its person. */
  canAsk: boolean;
  /** What the person answered, and the state that came with the question. */
  responses: Record<string, unknown> | undefined;
  state: string | undefined;
}

/** Thrown to have the client ask its person. The same call with the answer goes on. */
export class AskPerson {
  constructor(readonly result: InputRequiredResult) {}
}

/** Thrown where a person has to approve a call first, on the page of approvals. */
export class HeldBack {
  constructor(
    readonly operation: OperationEndpoint,
    readonly input: object,
    readonly question: string,
  ) {}
}

/** A question that was asked. */
interface Asked {
  /** Until when it can be answered, in milliseconds since 1970. */
  until: number;
  /** The call is done once under it, so that an answer counts once. */
  id: string;
}

const MOST_WARNINGS = 5;

const hasWarnings = ({ output }: OperationEndpoint): boolean => {
  const declared = fieldsByName(output);
  const item = declared.get('items')?.nested;
  return declared.has('warnings') || (item !== undefined && fieldsByName(item.type()).has('warnings'));
};

/** For example: "Ship many orders: 31 records, a message to up to 30 customers?" */
function inNumbers({ summary }: OperationEndpoint, input: object): string {
  const { items = [] } = input as { items?: { notify?: boolean }[] };
  const notified = items.filter(({ notify }) => notify).length;
  const records = Math.max(1, numberOf(input));
  return (
    `${summary}: ${records === 1 ? 'one record' : `${records} records`}` +
    `${notified > 0 ? `, a message to up to ${notified} customers` : ''}?`
  );
}

const told = (warnings: string[]) => [
  ...warnings.slice(0, MOST_WARNINGS).map((text) => `- ${text}`),
  ...(warnings.length > MOST_WARNINGS ? [`and ${warnings.length - MOST_WARNINGS} more warnings`] : []),
];

/** A client's capability without a mode means forms. */
export const canAsk = (capabilities: unknown): boolean => {
  const elicitation = isPlainObject(capabilities) ? capabilities.elicitation : undefined;
  return isPlainObject(elicitation) && (Object.keys(elicitation).length === 0 || 'form' in elicitation);
};

/**
 * Asks a person, through the agent's client, before calls that matter (docs/behaviour.md §8). Nothing is kept
 * between question and answer: the client carries a sealed state, which is bound to store, caller, tool,
 * input and key. A client that cannot ask, or answers by itself, is not held up: this helps people, and keeps
 * nobody out.
 */
@Injectable()
export class Person {
  constructor(
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
    private readonly previews: Previews,
    private readonly undoing: UndoService,
  ) {}

  /**
   * What runs before the handler of a call.
   * @throws AskPerson, and OperationError forbidden if the person said no
   */
  async admit(tool: OperationEndpoint, call: Call, ctx: StoreContext, answers: PersonAnswers): Promise<void> {
    const purpose = purposeOf(tool, call);
    const asked = this.open(answers.state, purpose);
    const answer = inputResponse(answers.responses, QUESTION);
    const action = asked && answer.kind === 'elicit' ? answer.action : null;
    if (action === 'accept') {
      call.key = { mode: 'once', value: `\nanswer ${asked!.id}` };
      return;
    }
    const question = await this.question(tool, call.input!, ctx);
    if (question === null) return;
    if (action !== null) throw forbidden('The person was asked and did not agree: nothing was changed');
    const { name } = await shownStore(ctx);
    throw new AskPerson(this.ask(`${name}: ${question}`, purpose));
  }

  /**
   * For clients that cannot ask, where the person who let the app in wants to be asked.
   * @throws HeldBack, and OperationError forbidden for what cannot be previewed
   */
  async hold(tool: OperationEndpoint, call: Call, ctx: StoreContext): Promise<void> {
    const question = await this.question(tool, call.input!, ctx);
    if (question === null) return;
    const { asks } = tool;
    const previewed =
      asks === 'as previewed'
        ? await this.previews.callOf(ctx, (call.input as ApplyChangeInput).previewId)
        : { operation: tool, input: call.input! };
    if (!previewed || previewed.operation.preview === 'none')
      throw forbidden(`${tool.name} asks a person first: do it on the dashboard. ${question}`);
    throw new HeldBack(previewed.operation, previewed.input, question);
  }

  /**
   * What matters by its operation, what would be answered with a warning, and what concerns many. It is tried
   * first, so that nobody is asked about what would be refused; but not for many records, whose locks would
   * hold up others meanwhile: those are counted.
   */
  async question(tool: OperationEndpoint, input: object, ctx: StoreContext): Promise<string | null> {
    const { asks } = tool;
    if (asks === 'as previewed') {
      const previewed = await this.previews.callOf(ctx, (input as ApplyChangeInput).previewId);
      // What waits, or waited, for approval is not asked about again.
      return previewed && this.question(previewed.operation, previewed.input, previewed.ctx);
    }
    if (asks === 'as undone') return this.undoing.question(ctx, (input as UndoChangeInput).activityId, MANY);
    if (tool.scope === 'read' || tool.preview === 'none') return asks?.(ctx, input as never) ?? null;
    const own = asks && (await asks(ctx, input as never));
    if (own === null) return null;
    const isMany = numberOf(input) > MANY;
    const warnings = isMany || !hasWarnings(tool) ? [] : await this.previews.warningsOf(ctx, tool, input);
    if (own === undefined && !isMany && warnings.length === 0) return null;
    return [own ?? inNumbers(tool, input), ...told(warnings)].join('\n');
  }

  private ask(message: string, purpose: string): InputRequiredResult {
    const asked: Asked = { until: this.clock.now().getTime() + ANSWERED_WITHIN_MS, id: newId() };
    const form = { mode: 'form' as const, message };
    return inputRequired({
      inputRequests: {
        [QUESTION]: inputRequired.elicit({ ...form, requestedSchema: { type: 'object', properties: {} } }),
      },
      requestState: this.secrets.seal(JSON.stringify(asked), purpose),
    });
  }

  /** Null for a state that is not of this call, or too old: then the person is asked anew. */
  private open(state: string | undefined, purpose: string): Asked | null {
    if (state === undefined) return null;
    try {
      const asked = JSON.parse(this.secrets.open(state, purpose)) as Asked;
      return asked.until >= this.clock.now().getTime() ? asked : null;
    } catch {
      return null;
    }
  }
}

/** An answer to a call with another key, or none, is not one to this call. */
function purposeOf({ name, input }: OperationEndpoint, call: Call): string {
  const { storeId, actor } = call.auth.principal!;
  const { kind, id } = actor;
  const key = call.headers['idempotency-key'];
  const about = { input: inputHash(input, call.input!), key };
  return `mcp-person:${storeId}:${kind}:${id}:${name}:${JSON.stringify(about)}`;
}
