import { Injectable } from '@nestjs/common';
import { declareSealed } from '../../crypto/sealed-columns.js';
import { SecretBox } from '../../crypto/secret-box.js';
import { KeptBounds } from '../../database/kept-bounds.service.js';
import { IDEMPOTENCY_KEPT_MS } from '../../database/retention.service.js';
import type { RowOf } from '../../database/statement.js';
import { forbidden, invalidInput, notFound, OperationError } from '../../errors.js';
import { newId } from '../../ids.js';
import type { Sentence, Told } from '../../problems.js';
import { isUuid } from '../../schema/formats.js';
import { fields } from '../../schema/field-spec.js';
import { validateInput } from '../../schema/validate.js';
import { auditedChanges } from '../../store/audit.js';
import { Finished } from '../../schema/present.js';
import type { AuditedChange, StoreContext } from '../../store/store-context.js';
import type { CallKey } from '../../store/call.js';
import { actorOf, ANSWERS, answerAgain, inputHash } from '../idempotency.js';
import type { OperationEndpoint } from '../endpoint.js';
import { OperationRegistry } from '../operation.registry.js';
import { firstOf, MANY, numberOf } from './counted.js';
import { countedOutcome, countsOf, type Outcome } from './outcome.js';
import { hashOf, sinceNow } from './preview-hash.js';
import {
  BEGIN_PREVIEW,
  BEGUN,
  FIND_PREVIEW,
  FIND_WAITING,
  KEEP_ANSWER,
  SAVE_PREVIEW,
  TAKE_APPROVAL,
} from './previews.statements.js';

const GOOD_FOR_MS = 10 * 60_000;
/** How long a person may take to approve one. */
const APPROVED_WITHIN_MS = 24 * 60 * 60_000;

const purposeOf = (id: string) => `previewed change:${id}`;
declareSealed('previewed_changes', ['sealed_input'], (row) => purposeOf(row.id));

/** A kept preview. */
interface Previewed {
  row: Pick<RowOf<typeof TAKE_APPROVAL>, 'outcomeHash' | 'isStepwise'>;
  operation: OperationEndpoint;
  input: object;
}

interface Warned {
  warnings?: string[];
  /** In an answer for pages, what each is about. */
  told?: (Told | null)[];
}

/** The warnings of an answer, and of its items, whose texts name them. */
export function warningsIn(answer: object): Sentence[] {
  const { items = [], ...own } = answer as Warned & { items?: (Warned & { index: number })[] };
  const of = ({ warnings = [], told = [] }: Warned, before = '') =>
    warnings.map((text, i) => ({ text: before + text, ...(told[i] && { told: told[i] }) }));
  return [...of(own), ...items.flatMap((item) => of(item, `item ${item.index}: `))];
}

/** A call that is to be made, and the context that it would have. */
export interface PreviewedCall {
  operation: OperationEndpoint;
  input: object;
  ctx: StoreContext;
}

export interface Preview extends Pick<Outcome, 'answer' | 'changes' | 'counted'> {
  previewId: string;
  operation: string;
  expiresAt: Date;
}

/**
 * Tries a change before it is made: the operation runs as always, in a transaction that is taken back
 * (docs/behaviour.md §13.10). Its input is kept sealed, so that exactly that can be applied.
 */
@Injectable()
export class Previews {
  constructor(
    private readonly operations: OperationRegistry,
    private readonly secrets: SecretBox,
    private readonly bounds: KeptBounds,
  ) {}

  async preview(ctx: StoreContext, name: string, given: object): Promise<Preview> {
    const operation = this.operations.find(name);
    if (!operation || operation.scope === 'read')
      throw invalidInput('operation must be the name of an operation that changes something');
    if (operation.preview === 'none') throw invalidInput(`operation ${name} cannot be previewed`);
    const input = realInput(operation, given);
    const { answer, changes, hash, isStepwise, counted } = await this.rehearse(ctx, operation, input);
    const isHeld = ctx.call?.approval !== undefined;
    const same = isHeld ? inputHash(operation.input, input) : null;
    const waiting = same === null ? null : await this.waitingLike(ctx, name, same);
    const id = waiting ?? newId();
    const expiresAt = new Date(ctx.now().getTime() + (isHeld ? APPROVED_WITHIN_MS : GOOD_FOR_MS));
    const sealedInput = this.secrets.seal(JSON.stringify(input), purposeOf(id));
    this.bounds.hold(ctx.session, 'previewed_changes', sealedInput.length);
    ctx.session.enqueue(SAVE_PREVIEW, {
      id,
      actor: actorOf(ctx),
      operation: name,
      sealedInput,
      bytes: sealedInput.length,
      outcomeHash: hash,
      isStepwise,
      approval: isHeld ? 'waiting' : null,
      inputHash: same,
      expiresAt,
    });
    const tried = { answer, changes, ...(counted !== undefined && { counted }) };
    return { previewId: id, operation: name, expiresAt, ...tried };
  }

  /** The id of such a call that waits for a person already, who is not asked twice. */
  private async waitingLike(ctx: StoreContext, operation: string, hash: string): Promise<string | null> {
    const call = { actor: actorOf(ctx), operation, inputHash: hash, now: ctx.now() };
    const [waiting] = await ctx.session.query(FIND_WAITING, call);
    if (!waiting) return null;
    ctx.call!.approval!.isAsked = true;
    return waiting.id;
  }

  /**
   * Makes the change that was previewed. It is done once under the preview's id, so a repeat gets the first
   * answer.
   * @throws OperationError not_found for an expired preview and for that of another caller,
   * precondition_failed if the change would now be another one
   */
  async apply(ctx: StoreContext, id: string): Promise<Finished> {
    const before = await this.usedBefore(ctx, id);
    if (before?.operation) this.operations.requireAllowed(ctx, before.operation);
    if (before?.kept) return new Finished(answerAgain(ctx, before));
    const previewed = await this.find(ctx, id);
    if (!previewed) throw notFound('Preview', id, ', or it has expired: previews are good for 10 minutes');
    const { approval, answer } = previewed.row;
    if (approval !== null) return approvedAnswer(approval, answer);
    return new Finished(await this.carryOut(ctx, id, previewed, before !== undefined));
  }

  /**
   * Makes a change that waits for approval, as the person who approves it; the agent gets the answer.
   * @throws OperationError not_found, precondition_failed if the change would now be another one
   */
  async approve(ctx: StoreContext, id: string): Promise<string> {
    const previewed = await this.decide(ctx, id, 'applied');
    const answer = await this.carryOut(ctx, id, previewed, false);
    const expiresAt = new Date(ctx.now().getTime() + IDEMPOTENCY_KEPT_MS);
    ctx.session.enqueue(KEEP_ANSWER, { id, answer, expiresAt });
    return answer;
  }

  /** @throws OperationError not_found for one that does not wait for approval */
  async decide(ctx: StoreContext, id: string, approval: 'applied' | 'declined'): Promise<Previewed> {
    const [row] = isUuid(id) ? await ctx.session.query(TAKE_APPROVAL, { id, approval, now: ctx.now() }) : [];
    if (!row) throw notFound('Approval', id, ', or it was decided');
    const operation = this.operations.find(row.operation)!;
    this.operations.requireAllowed(ctx, operation.name);
    return { row, operation, input: this.inputOf(id, row.sealedInput) };
  }

  private async carryOut(
    ctx: StoreContext,
    id: string,
    { row, operation, input }: Previewed,
    isBegun: boolean,
  ): Promise<string> {
    const requireSame = (hash: string) => {
      if (hash !== row.outcomeHash)
        throw new OperationError(
          'precondition_failed',
          'The change would no longer be the one that was previewed; nothing was changed: preview it again',
        );
    };
    // What a call that was interrupted has done is not done again, and no longer previewed.
    if (row.isStepwise && !isBegun && row.outcomeHash !== BEGUN) {
      requireSame((await this.rehearse(ctx, operation, input)).hash);
      // Committed with the first step.
      const expiresAt = new Date(ctx.now().getTime() + IDEMPOTENCY_KEPT_MS);
      ctx.session.enqueue(BEGIN_PREVIEW, { id, outcomeHash: BEGUN, expiresAt });
    }
    const audited: AuditedChange[] = [];
    const since = sinceNow(ctx, input);
    const check = () => row.isStepwise || requireSame(hashOf(audited, since));
    return this.operations.within(ctx.with({ audited }), operation, input, { key: onceUnder(id), check });
  }

  /**
   * The call that applying a preview makes, for the question before it.
   * @returns null for what is refused or answered again without a change
   */
  async callOf(ctx: StoreContext, id: string): Promise<PreviewedCall | null> {
    const previewed = (await this.usedBefore(ctx, id)) ? null : await this.find(ctx, id);
    if (!previewed || previewed.row.approval !== null) return null;
    const { operation, input } = previewed;
    this.operations.requireOffered(ctx, operation.name);
    const call = { ...ctx.call!, headers: {}, key: onceUnder(id) };
    return { operation, input: validateInput(operation.input, input), ctx: ctx.with({ call }) };
  }

  /** The warnings with which the operation would answer; all that it changed is taken back. */
  async warningsOf(ctx: StoreContext, operation: OperationEndpoint, input: object): Promise<string[]> {
    return warningsIn((await this.rehearse(ctx, operation, input)).answer).map(({ text }) => text);
  }

  /** What is known of the first call that applied the preview; undefined if there was none. */
  private async usedBefore(ctx: StoreContext, id: string) {
    const used = { actor: actorOf(ctx), key: keyOf(id), operation: '', inputHash: '' };
    const [known] = await ANSWERS.find(ctx, used);
    return known;
  }

  private async find(ctx: StoreContext, id: string) {
    if (!isUuid(id)) return null;
    const [row] = await ctx.session.read(FIND_PREVIEW, { id, actor: actorOf(ctx), now: ctx.now() });
    if (!row) return null;
    const input = this.inputOf(id, row.sealedInput);
    return { row, operation: this.operations.find(row.operation)!, input };
  }

  private inputOf = (id: string, sealedInput: string) =>
    JSON.parse(this.secrets.open(sealedInput, purposeOf(id))) as object;

  /** Of a call for many records the first are tried (docs/behaviour.md §13.10). */
  private async rehearse(ctx: StoreContext, operation: OperationEndpoint, given: object): Promise<Outcome> {
    const counted = (await operation.counts?.(ctx, given as never)) ?? null;
    if (counted) return countedOutcome(operation.name, counted, sinceNow(ctx, given));
    const hasOwn = operation.preview === 'own';
    const isCounted = !hasOwn && numberOf(given) > MANY;
    const input = isCounted ? firstOf(given) : given;
    const audited: AuditedChange[] = [];
    const since = sinceNow(ctx, input);
    const { result, steps } = await ctx.session.rehearse(() =>
      this.operations.within(ctx.with({ audited }), operation, input, {
        isForPages: ctx.call?.answer?.isForPages,
      }),
    );
    const { data: answer } = JSON.parse(result) as { data: object };
    return {
      answer,
      changes: audited.map(({ operation: name, action, target, changes, unlinked }) => ({
        operation: name,
        action: action ?? null,
        target,
        changes: auditedChanges(changes),
        ...(unlinked && { unlinked: countsOf(unlinked) }),
      })),
      hash: hashOf(hasOwn ? answer : audited, since),
      isStepwise: hasOwn || isCounted || steps > 0,
      ...(isCounted && { counted: numberOf(given) }),
    };
  }
}

/**
 * The input with which the operation does it, for the operations that only count or show without `confirm` or
 * with `preview`: what is previewed is what apply_change does, and no answer of that is a preview.
 */
function realInput({ input: type, preview }: OperationEndpoint, given: object): object {
  const has = (name: string) => fields(type).some((field) => field.name === name);
  const { preview: _, ...real } = given as { preview?: unknown };
  return {
    ...(has('preview') ? real : given),
    ...(preview === 'own' && has('confirm') && { confirm: true }),
  };
}

/** What an agent gets that applies a change which waits, or waited, for a person. */
function approvedAnswer(approval: string, answer: string | null): Finished {
  if (approval === 'declined')
    throw new OperationError('precondition_failed', 'The person declined it; nothing was changed');
  if (answer !== null) return new Finished(answer);
  throw forbidden(
    'A person has to approve this first, on the page of approvals: ask them, then apply it again',
  );
}

/** Under which the call that applies it is done once. */
const keyOf = (id: string) => `\napply_change ${id}`;
const onceUnder = (id: string): CallKey => ({ mode: 'once', value: keyOf(id) });
