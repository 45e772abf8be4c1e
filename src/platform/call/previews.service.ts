import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { declareSealed } from '../crypto/sealed-columns.js';
import { SecretBox } from '../crypto/secret-box.js';
import { IDEMPOTENCY_KEPT_MS } from '../database/retention.service.js';
import { KeptBounds } from '../database/kept-bounds.service.js';
import { statement } from '../database/statement.js';
import { invalidInput, notFound, OperationError } from '../errors.js';
import { newId } from '../ids.js';
import { isUuid } from '../schema/formats.js';
import { fields } from '../schema/field-spec.js';
import { validateInput } from '../schema/validate.js';
import { auditedChanges } from '../store/audit.js';
import { FinishedEnvelope } from '../schema/present.js';
import type { AuditedChange, StoreContext } from '../store/store-context.js';
import { actorOf, ANSWERS, answerAgain } from './idempotency.js';
import type { OperationEndpoint } from './endpoint.js';
import { OperationRegistry } from './operation.registry.js';

const GOOD_FOR_MS = 10 * 60_000;

const SAVE_PREVIEW = statement(
  'save_preview',
  `insert into previewed_changes
     (store_id, id, actor, operation, sealed_input, bytes, outcome_hash, is_stepwise, expires_at)
   values ($store, $id, $actor, $operation, $sealedInput, $bytes, $outcomeHash, $isStepwise, $expiresAt)`,
);

const FIND_PREVIEW = statement(
  'find_preview',
  `select operation, sealed_input as "sealedInput", outcome_hash as "outcomeHash", is_stepwise as "isStepwise"
   from previewed_changes where store_id = $store and id = $id and actor = $actor and expires_at > $now`,
);

/** Marks a stepwise preview as started: its outcome is no longer compared. */
const BEGUN = '';
const BEGIN_PREVIEW = statement(
  'begin_preview',
  `update previewed_changes set outcome_hash = $outcomeHash, expires_at = $expiresAt
   where store_id = $store and id = $id`,
);

const purposeOf = (id: string) => `previewed change:${id}`;
declareSealed('previewed_changes', ['sealed_input'], (row) => purposeOf(row.id));

interface PreviewedChange {
  operation: string;
  action: string | null;
  target: string;
  changes: object;
  unlinked?: Record<string, number>;
}

/** What an operation would do. */
interface Outcome {
  /** The data that it would answer. */
  answer: object;
  changes: PreviewedChange[];
  /** Equal for two runs that do the same; new ids and the time may differ. */
  hash: string;
  /** It commits before it is finished, so it can be compared only before it runs. */
  isStepwise: boolean;
}

export interface Preview extends Pick<Outcome, 'answer' | 'changes'> {
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
    const { answer, changes, hash, isStepwise } = await this.rehearse(ctx, operation, input);
    const id = newId();
    const expiresAt = new Date(ctx.now().getTime() + GOOD_FOR_MS);
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
      expiresAt,
    });
    return { previewId: id, operation: name, expiresAt, answer, changes };
  }

  /**
   * Makes the change that was previewed. It is done once under the preview's id, so a repeat gets the first
   * answer.
   * @throws OperationError not_found for an expired preview and for that of another caller,
   * precondition_failed if the change would now be another one
   */
  async apply(ctx: StoreContext, id: string): Promise<FinishedEnvelope> {
    const before = await this.usedBefore(ctx, id);
    if (before?.operation) this.operations.requireAllowed(ctx, before.operation);
    if (before?.kept) return new FinishedEnvelope(answerAgain(ctx, before));
    const previewed = await this.find(ctx, id);
    if (!previewed) throw notFound('Preview', id, ', or it has expired: previews are good for 10 minutes');
    const { row, operation, input } = previewed;
    const requireSame = (hash: string) => {
      if (hash !== row.outcomeHash)
        throw new OperationError(
          'precondition_failed',
          'The change would no longer be the one that was previewed; nothing was changed: preview it again',
        );
    };
    // What a call that was interrupted has done is not done again, and no longer previewed.
    if (row.isStepwise && !before && row.outcomeHash !== BEGUN) {
      requireSame((await this.rehearse(ctx, operation, input)).hash);
      // Committed with the first step.
      const expiresAt = new Date(ctx.now().getTime() + IDEMPOTENCY_KEPT_MS);
      ctx.session.enqueue(BEGIN_PREVIEW, { id, outcomeHash: BEGUN, expiresAt });
    }
    const audited: AuditedChange[] = [];
    const since = sinceNow(ctx, input);
    const check = () => row.isStepwise || requireSame(hashOf(audited, since));
    return new FinishedEnvelope(
      await this.operations.within(ctx.with({ audited }), operation, input, {
        onceKey: keyOf(id),
        check,
      }),
    );
  }

  /**
   * What a person is asked before a preview is applied, by the operation that was previewed.
   * @returns null also for what is refused or answered again without a change
   */
  async question(ctx: StoreContext, id: string): Promise<string | null> {
    if (await this.usedBefore(ctx, id)) return null;
    const previewed = await this.find(ctx, id);
    const { operation, input } = previewed ?? {};
    if (typeof operation?.asks !== 'function') return null;
    this.operations.requireOffered(ctx, operation.name);
    const call = { ...ctx.call!, headers: {}, onceKey: keyOf(id) };
    return operation.asks(ctx.with({ call }), validateInput(operation.input, input!) as never);
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
    const input = JSON.parse(this.secrets.open(row.sealedInput, purposeOf(id))) as object;
    return { row, operation: this.operations.find(row.operation)!, input };
  }

  private async rehearse(ctx: StoreContext, operation: OperationEndpoint, input: object): Promise<Outcome> {
    const hasOwn = operation.preview === 'own';
    const audited: AuditedChange[] = [];
    const since = sinceNow(ctx, input);
    const { result, steps } = await ctx.session.rehearse(() =>
      this.operations.within(ctx.with({ audited }), operation, input),
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
      isStepwise: hasOwn || steps > 0,
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

const countsOf = (lists: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(lists).map(([name, ids]) => [name, ids.length]));

/** Under which the call that applies it is done once. */
const keyOf = (id: string) => `\napply_change ${id}`;

interface Since {
  /** Milliseconds of the system clock, as in UUIDv7. */
  ids: number;
  /** By the clock of the service. */
  times: number;
  /** Times that the caller gave are the same in every run, however near they are. */
  given: ReadonlySet<number>;
}

const sinceNow = (ctx: StoreContext, input: object): Since => ({
  ids: Date.now(),
  times: ctx.now().getTime(),
  given: new Set(
    JSON.stringify(input)
      .match(GIVEN_TIME)
      ?.map((time) => Date.parse(time)),
  ),
});

/** UUIDs of version 7 begin with their time. */
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const GIVEN_TIME = /\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)/g;
/** Longer than any run takes. */
const A_RUN_MS = 60_000;

/** Ids and times that the run itself made are left out, because the next run makes others. */
function hashOf(outcome: object, since: Since): string {
  const seen = new Map<string, string>();
  const text = JSON.stringify(outcome)
    .replace(ID, (id) => {
      if (parseInt(id.slice(0, 8) + id.slice(9, 13), 16) < since.ids) return id;
      if (!seen.has(id)) seen.set(id, `new ${seen.size}`);
      return seen.get(id)!;
    })
    .replace(TIME, (time) => {
      const moment = Date.parse(time);
      const age = moment - since.times;
      return age >= 0 && age < A_RUN_MS && !since.given.has(moment) ? 'now' : time;
    });
  return createHash('sha256').update(text).digest('hex');
}
