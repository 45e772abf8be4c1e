import type { OperationRegistry } from '../../../platform/call/operation.registry.js';
import { OperationError } from '../../../platform/errors.js';
import type { Call } from '../../../platform/store/call.js';

const MOST = 100;

/**
 * The names of the store's first categories, read as by the caller, from the caller's budget; none for a
 * caller that may not read them.
 */
export async function categoryNames(operations: OperationRegistry, call: Call): Promise<string[]> {
  const body = () => Promise.resolve({ take: MOST });
  const reading: Call = { ...call, transport: 'mcp', headers: {}, body };
  try {
    const whole = await operations.invoke(operations.find('list_categories')!, reading);
    const { data } = JSON.parse(whole) as { data: { items: { name: string }[] } };
    return data.items.map(({ name }) => name);
  } catch (error) {
    if (error instanceof OperationError) return [];
    throw error;
  }
}
