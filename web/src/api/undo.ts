import { words } from '../words';
import { ask, type OperationName } from './client';
import { UNDOABLE } from './generated/operations';
import { Refusal } from './refusal';

/** Whether undo_change takes back what the call changed. */
export const isUndoable = (name: string): name is OperationName => UNDOABLE.has(name);

/** The most pages of the activity log in which a call is looked for. */
const MOST_PAGES = 10;

async function activityOf(storeId: string, operation: OperationName, requestId: string | null) {
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const asked = { operation, mine: true, take: 50, cursor };
    const { items, nextCursor } = await ask(storeId, 'list_activity', asked);
    const made = items.find((entry) => entry.requestId === requestId);
    if (made) return made;
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  throw new Error(words.common.notUndone);
}

/**
 * Takes a change back, unless somebody has changed the same since.
 * @param requestId of the call that made it
 */
export async function undoChange(storeId: string, operation: OperationName, requestId: string | null) {
  const made = await activityOf(storeId, operation, requestId);
  try {
    await ask(storeId, 'undo_change', { activityId: made.id }, { idempotencyKey: crypto.randomUUID() });
  } catch (error) {
    const isChanged = error instanceof Refusal && error.code === 'precondition_failed';
    throw isChanged ? new Error(words.common.notUndone) : error;
  }
}

/** A call that changed something. */
export interface Made {
  operation: OperationName;
  requestId: string | null;
}

/**
 * Takes calls back, the last one first. One that cannot be undone any more does not keep the others.
 * @throws what the first of such calls was refused with, after the others are undone
 */
export async function undoAll(storeId: string, made: readonly Made[]): Promise<void> {
  const refused: Error[] = [];
  for (const { operation, requestId } of made.toReversed())
    await undoChange(storeId, operation, requestId).catch((error: Error) => refused.push(error));
  if (refused.length > 0) throw refused[0];
}
