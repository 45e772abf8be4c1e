import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { TestEnvironment } from 'jest-environment-node';

/**
 * Globals of Node that the service throws, returns or extends. A test file has a global scope with classes
 * of its own, and would not recognise them. The clock is one, so that a test can stop it.
 */
const SHARED = {
  ...{ AbortController, AbortSignal, Date, Error, RangeError, Reflect, SyntaxError, TypeError },
  performance,
};

/**
 * Storages in use, in the worker. Node 20 and 22 go through all of them for each promise, for ever, unless
 * they are disabled; each file's app and Jest itself make some, and after a hundred files little else is
 * done.
 */
const storages = new Set();
const { run, enterWith } = AsyncLocalStorage.prototype;
Object.assign(AsyncLocalStorage.prototype, {
  run(...args) {
    storages.add(this);
    return run.apply(this, args);
  },
  enterWith(store) {
    storages.add(this);
    enterWith.call(this, store);
  },
});

/** What files of the worker share: the service with default settings (test/support/test-app.ts). */
const sharedApp = { isTaken: false };
globalThis.endSharedApp = async () => (await sharedApp.nest)?.close();
/** Jest's message by which the parent ends a worker; open sockets of the service would keep it running. */
const END = 2;
process.on('message', ([kind]) => {
  if (kind === END) void globalThis.endSharedApp();
});

/**
 * Jest's environment for Node, and `loadShipped`, by which Node itself loads a module once for all files of a
 * worker (see shipped.mjs), with the process that such modules use.
 */
export default class WorkerEnvironment extends TestEnvironment {
  #before = { env: { ...process.env }, exit: process.exit };

  async setup() {
    await super.setup();
    const loadShipped = (file) => createRequire(file)(file);
    Object.assign(this.global, SHARED, { process, console, loadShipped, sharedApp });
  }

  /** Restores the state for the next file. */
  async teardown() {
    const { env, exit } = this.#before;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    Object.assign(process, { exit });
    sharedApp.isTaken = false;
    await super.teardown();
    for (const storage of storages) storage.disable();
    storages.clear();
  }
}
