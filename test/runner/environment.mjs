import { ModuleMocker } from 'jest-mock';

/** Where Jest keeps what one file's tests are: a second file's would be reported to both. */
const OF_ONE_FILE = ['JEST_STATE_SYMBOL', 'EVENT_HANDLERS'];

/**
 * The worker's own global scope for every file. Jest's environments make one (`node:vm`) for each, in which no package is loaded yet
 * and no code has been optimised, and where each use of a global takes a detour.
 */
export default class WorkerEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  #before = { env: { ...process.env }, exit: process.exit, console: globalThis.console };

  async setup() {}

  /** Gives the next file what this one was given. */
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

  /** Jest loads nothing where there is none; what it is used for otherwise, the runtime does itself. */
  getVmContext() {
    return globalThis;
  }
}
