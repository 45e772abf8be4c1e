import { ModuleMocker } from 'jest-mock';

/**
 * The symbols under which Jest keeps the state of one test file. If they stayed, events would be reported to
 * earlier files too.
 */
const OF_ONE_FILE = ['JEST_STATE_SYMBOL', 'EVENT_HANDLERS'];

/**
 * Uses the worker's own global scope for every file. Jest's environments create a new one (`node:vm`) for
 * each file, in which no package is loaded and no code is optimised yet, and in which each use of a global is
 * slower.
 */
export default class WorkerEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  #before = { env: { ...process.env }, exit: process.exit, console: globalThis.console };

  async setup() {}

  /** Restores the state for the next file. */
  async teardown() {
    const { env, exit, console } = this.#before;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    Object.assign(process, { exit });
    Object.assign(globalThis, { console });
    for (const symbol of Object.getOwnPropertySymbols(globalThis))
      if (OF_ONE_FILE.includes(symbol.description)) delete globalThis[symbol];
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** Jest loads nothing without a context. The runtime replaces its other uses. */
  getVmContext() {
    return globalThis;
  }
}
