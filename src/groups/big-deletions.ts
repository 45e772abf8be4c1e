import { invalidInput } from '../platform/errors.js';

/** The most products that lose a deleted brand or category in one transaction. */
export const DELETION_BOUNDS = { products: 150_000 };

/** @throws OperationError invalid_input that says how to delete it all the same */
export function requireFewProducts(kind: 'brand' | 'category', count: number): void {
  const { products: most } = DELETION_BOUNDS;
  if (count > most)
    throw invalidInput(
      `id is that of a ${kind} with ${count} products, and at most ${most} can lose it at once: ` +
        'take it off the others with update_products first',
    ).about('products_most', { count, most });
}
