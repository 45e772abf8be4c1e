import type { StoreContext } from './store-context.js';

/**
 * What a person is asked before a call with this input, in words, after the store's name (docs/behaviour.md
 * §8); null if nobody needs to be asked.
 * @throws OperationError as the call itself, so that nobody is asked about what would be refused anyway
 */
export type Question = (ctx: StoreContext, input: never) => Promise<string | null>;
