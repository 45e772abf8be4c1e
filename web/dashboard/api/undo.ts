import { ask, type OperationName } from './client';
import { UNDOABLE } from './generated/operations';
import { Refusal } from './refusal';

/** A call that changed something. */
export interface Made {
  operation: OperationName;
  requestId: string | null;
  /** Which record, if the call changed several, each with an entry of its own in the activity log. */
  target?: string;
}

/** Whether undo_change takes back what the call changed. */
export const isUndoable = (name: string): name is OperationName => UNDOABLE.has(name);

/** The most pages of the activity log in which a call is looked for. */
const MOST_PAGES = 10;

async function activityOf(storeId: string, { operation, requestId, target }: Made) {
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const asked = { operation, target, mine: true, take: 50, cursor };
    const { items, nextCursor } = await ask(storeId, 'list_activity', asked);
    const made = items.find((entry) => entry.requestId === requestId);
    if (made) return made;
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  throw new Refusal('precondition_failed', 'It cannot be undone any more', null, null, {
    problem: 'not_undone',
    values: {},
  });
}

/** Takes a change back. @throws Refusal, precondition_failed if somebody has changed the same since */
export async function undoChange(storeId: string, made: Made): Promise<void> {
  const { id: activityId } = await activityOf(storeId, made);
  await ask(storeId, 'undo_change', { activityId }, { idempotencyKey: crypto.randomUUID() });
}

/** Takes changes back, the last one first. @returns those that stay, as they could not be, and why */
export async function undoAll<One extends Made>(
  storeId: string,
  made: readonly One[],
): Promise<{ made: One; error: Error }[]> {
  const left: { made: One; error: Error }[] = [];
  for (const one of made.toReversed())
    await patiently(() => undoChange(storeId, one)).catch((error: Error) => left.push({ made: one, error }));
  return left;
}

/** Waits as long as the service says if there were too many calls. */
async function patiently(call: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'rate_limited') throw error;
      await new Promise((go) => setTimeout(go, (error.retryAfter ?? 1) * 1_000));
    }
  }
}
