import { words } from '../words';
import { ask, type OperationName } from './client';
import { UNDOABLE } from './generated/operations';
import { Refusal } from './refusal';

/** Whether undo_change takes back what the call changed. */
export const isUndoable = (name: string): name is OperationName => UNDOABLE.has(name);

/**
 * Takes a change back, unless somebody has changed the same since.
 * @param requestId of the call that made it
 */
export async function undoChange(storeId: string, operation: OperationName, requestId: string | null) {
  const { items } = await ask(storeId, 'list_activity', { operation, mine: true, take: 50 });
  const made = items.find((entry) => entry.requestId === requestId);
  if (!made) throw new Error(words.common.notUndone);
  try {
    await ask(storeId, 'undo_change', { activityId: made.id }, { idempotencyKey: crypto.randomUUID() });
  } catch (error) {
    const isChanged = error instanceof Refusal && error.code === 'precondition_failed';
    throw isChanged ? new Error(words.common.notUndone) : error;
  }
}
