import { AsyncLocalStorage } from 'node:async_hooks';

/** What one call holds of the scarcest thing that there is: connections of the database. */
export interface Holding {
  connections: number;
  /** The call inside which it runs, and which waits for it. */
  readonly outer: Holding | undefined;
}

/** Following calls costs a tenth of a call, so neither production nor a measurement does it. */
const IS_WATCHED = ['development', 'test'].includes(process.env.NODE_ENV || 'development');
const calls = IS_WATCHED ? new AsyncLocalStorage<Holding>() : null;

/** Runs a call, or other work in a store, so that `outside` knows what it holds. */
export const asCall = <Result>(work: () => Result): Result =>
  calls ? calls.run({ connections: 0, outer: calls.getStore() }, work) : work();

/** The call that runs; undefined where nobody looks. */
export const holdingOf = (): Holding | undefined => calls?.getStore();

/**
 * Everything that waits for another machine, or for a turn, says so here first: who waits for something
 * outside holds no connection of the database meanwhile, because others wait for that one.
 * @throws Error in development and tests; elsewhere nobody looks
 */
export function outside(what: string): void {
  for (let call = calls?.getStore(); call; call = call.outer) {
    if (call.connections > 0) throw new Error(`${what} is waited for while a call holds a connection`);
  }
}
