import { createHash } from 'node:crypto';
import { newId } from '../ids.js';
import { statement } from '../database/statement.js';
import { type DtoClass, fields, fieldsByName } from '../schema/field-spec.js';
import { isSameJson } from '../schema/json/same-json.js';
import { present } from '../schema/present.js';
import type { AuditDraft, AuditedChange, StoreContext } from './store-context.js';

/** How a change came; `cli` are the operator's commands and what the service does by itself. */
export const TRANSPORTS = ['http', 'mcp', 'dashboard', 'cli', 'oauth'] as const;

export interface AuditEntry extends AuditDraft {
  operation: string;
  transport: (typeof TRANSPORTS)[number];
  input: unknown;
  outcome: 'ok' | 'forbidden';
}

const INSERT_AUDIT = statement(
  'insert_audit',
  `insert into audit_log (store_id, id, at, actor_kind, actor_id, actor_name, operation, transport, action,
     target, input, changes, outcome, request_id)
   values ($store, $id, $now, $actorKind, $actorId?, $actorName, $operation, $transport, $action?,
     $target, $input, $changes?, $outcome, $requestId)`,
);

/**
 * Writes the audit row of a call in the call's own transaction (docs/behaviour.md §6.10). The statement is
 * sent with the commit.
 */
export function writeAudit(ctx: StoreContext, entry: AuditEntry): AuditedChange {
  const { operation, action, changes, target = `store:${ctx.storeId}` } = entry;
  const written = { id: newId(), operation, action, target, changes, unlinked: entry.kept?.links };
  ctx.audited?.push(written);
  ctx.session.enqueue(INSERT_AUDIT, {
    id: written.id,
    now: ctx.now(),
    actorKind: ctx.actor.kind,
    actorId: ctx.actor.id,
    actorName: ctx.actor.name,
    operation,
    transport: entry.transport,
    action,
    target,
    input: auditText(entry.input ?? {}, shortened),
    changes: changes && auditText(changes, shortenedPair),
    outcome: entry.outcome,
    requestId: ctx.requestId,
  });
  if (entry.outcome === 'ok' && ctx.live.isWatched(ctx.storeId)) publishChange(ctx, entry);
  return written;
}

const shortenedPair = (pair: unknown) => `[${(pair as unknown[]).map(shortened).join()}]`;

/** The changes as the audit row has them: long values are shortened. */
export const auditedChanges = (changes: AuditDraft['changes'] = {}): Record<string, unknown> =>
  JSON.parse(auditText(changes, shortenedPair)) as Record<string, unknown>;

/** After the commit, notifies people who are looking at the store: names of fields, no values. */
function publishChange(
  ctx: StoreContext,
  { target = `store:${ctx.storeId}`, operation, changes = {} }: AuditEntry,
): void {
  const [kind, id] = target.split(/:(.*)/s);
  ctx.session.onCommit(() =>
    ctx.live.publish(ctx.storeId, { kind, id, operation, changed: Object.keys(changes) }),
  );
}

/**
 * The longest value, in bytes, that an audit row stores unchanged (docs/behaviour.md §6.10), and the
 * characters shown of a longer one.
 */
const LONGEST_VALUE = 2_048;
const SHOWN = 500;

/** The object as JSON, with long members shortened. Each is serialised once, as it may be a megabyte. */
function auditText(values: object, text: (value: unknown) => string): string {
  const members: string[] = [];
  for (const [name, value] of Object.entries(values))
    if (value !== undefined) members.push(`${JSON.stringify(name)}:${text(value)}`);
  return `{${members.join()}}`;
}

/**
 * The value itself, or for a long one its first characters, its length and its SHA-256, as JSON. Values other
 * than strings are taken as JSON.
 */
function shortened(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null');
  const length = Buffer.byteLength(text);
  if (length <= LONGEST_VALUE) return typeof value === 'string' ? JSON.stringify(value) : text;
  const sha256 = createHash('sha256').update(text).digest('hex');
  return JSON.stringify({ shortened: text.slice(0, SHOWN).toWellFormed(), length, sha256 });
}

/** The changes of a deletion: the whole record as callers saw it, with each field as `[value, null]`. */
export function deletion(type: DtoClass, record: object): Record<string, [unknown, unknown]> {
  return Object.fromEntries(
    Object.entries(present(type, record)).map(([name, value]) => [name, [value, null]]),
  );
}

/**
 * The fields of `after` that differ from `before`, each as `[before, after]`. A field that is undefined in
 * `after` is unchanged.
 */
export function changedFields(before: object, after: object): Record<string, [unknown, unknown]> {
  const old = before as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(after)
      .filter(([name, value]) => value !== undefined && !isSameJson(value, old[name] ?? null))
      .map(([name, value]) => [name, [old[name] ?? null, value]]),
  );
}

/** Keys of free objects whose values are secrets (docs/behaviour.md §5). */
export const isSecretKey = (key: string) =>
  /secret|token|password|key/i.test(key) && key.toLowerCase() !== 'keyid';
export const REMOVED = '[removed]';

const withSecrets = new Map<DtoClass, boolean>();

/** Whether a class has a secret or a free object, or one inside it has. */
function mayHaveSecrets(type: DtoClass, around: readonly DtoClass[] = []): boolean {
  const known = withSecrets.get(type);
  if (known !== undefined) return known;
  const may = fields(type).some(({ secret, nested, schema }) => {
    if (secret !== undefined || !nested) return secret !== undefined || schema.type === 'object';
    // A class inside itself adds nothing.
    const inner = nested.type();
    return inner !== type && !around.includes(inner) && mayHaveSecrets(inner, [...around, type]);
  });
  if (around.length === 0) withSecrets.set(type, may);
  return may;
}

/**
 * The input as it may be audited: without the fields that are declared secret, and without secret keys of
 * free objects.
 */
export function withoutSecrets(type: DtoClass, input: object): Record<string, unknown> {
  if (!mayHaveSecrets(type)) return input as Record<string, unknown>;
  const declared = fieldsByName(type);
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const field = declared.get(name);
      const secret = field?.secret;
      if (typeof secret === 'function' ? secret(input) : secret) return [name, REMOVED];
      if (field?.nested && value) {
        const inner = field.nested.type();
        return [
          name,
          Array.isArray(value)
            ? value.map((item: object) => withoutSecrets(inner, item))
            : withoutSecrets(inner, value),
        ];
      }
      return [name, field?.schema.type === 'object' ? withoutSecretKeys(value) : value];
    }),
  );
}

export function withoutSecretKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecretKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, isSecretKey(key) ? REMOVED : withoutSecretKeys(inner)]),
  );
}
