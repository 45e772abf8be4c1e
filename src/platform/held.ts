import { AsyncLocalStorage } from 'node:async_hooks';

/** What one call holds of the scarcest thing that there is: connections of the database. */
export interface Holding {
  connections: number;
  /** The call inside which it runs, and which waits for it. */
  readonly outer: Holding | undefined;
}

const calls = process.env.NODE_ENV === 'production' ? null : new AsyncLocalStorage<Holding>();

/** Runs a call, or other work in a store, so that `outside` knows what it holds. */
export const asCall = <Result>(work: () => Result): Result =>
  calls ? calls.run({ connections: 0, outer: calls.getStore() }, work) : work();

/** The call that runs; undefined in production. */
export const holdingOf = (): Holding | undefined => calls?.getStore();

/**
 * Everything that waits for another machine, or for a turn, says so here first: who waits for something
 * outside holds no connection of the database meanwhile, because others wait for that one. Production does
 * not look.
 * @throws Error in development and tests
 */
export function outside(what: string): void {
  for (let call = calls?.getStore(); call; call = call.outer) {
    if (call.connections > 0) throw new Error(`${what} is waited for while a call holds a connection`);
  }
}
