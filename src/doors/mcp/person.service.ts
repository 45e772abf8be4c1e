import { Injectable } from '@nestjs/common';
import { inputRequired, type InputRequiredResult, inputResponse } from '@modelcontextprotocol/server';
import type { ApplyChangeInput, UndoChangeInput } from '../../groups/activity/activity.dto.js';
import { UndoService } from '../../groups/activity/undo.service.js';
import { inputHash } from '../../platform/call/idempotency.js';
import type { OperationEndpoint } from '../../platform/call/endpoint.js';
import { Previews } from '../../platform/call/previews.service.js';
import { Clock } from '../../platform/clock.js';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import { forbidden } from '../../platform/errors.js';
import { newId } from '../../platform/ids.js';
import { isPlainObject } from '../../platform/schema/field-spec.js';
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

/** A question that was asked. */
interface Asked {
  /** Until when it can be answered, in milliseconds since 1970. */
  until: number;
  /** The call is done once under it, so that an answer counts once. */
  id: string;
}

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
      call.onceKey = `\nanswer ${asked!.id}`;
      return;
    }
    const question = await this.question(tool, call, ctx);
    if (question === null) return;
    if (action !== null) throw forbidden('The person was asked and did not agree: nothing was changed');
    const { name } = await shownStore(ctx);
    throw new AskPerson(this.ask(`${name}: ${question}`, purpose));
  }

  private question({ asks }: OperationEndpoint, { input }: Call, ctx: StoreContext): Promise<string | null> {
    if (asks === 'as previewed') return this.previews.question(ctx, (input as ApplyChangeInput).previewId);
    if (asks === 'as undone') return this.undoing.question(ctx, (input as UndoChangeInput).activityId);
    return asks!(ctx, input as never);
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
  const { storeId, actor } = call.principal!;
  const { kind, id } = actor;
  const key = call.headers['idempotency-key'];
  const about = { input: inputHash(input, call.input!), key };
  return `mcp-person:${storeId}:${kind}:${id}:${name}:${JSON.stringify(about)}`;
}
