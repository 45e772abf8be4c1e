import { createRequire } from 'node:module';
import { TestEnvironment } from 'jest-environment-node';

/**
 * Globals of Node that the service throws, returns or extends. A test file has a global scope with classes
 * of its own, and would not recognise them.
 */
const SHARED = { AbortController, AbortSignal, Date, Error, RangeError, Reflect, SyntaxError, TypeError };

/**
 * Jest's environment for Node, and `loadShipped`, by which Node itself loads a module once for all files of a
 * worker (see shipped.mjs), with the process that such modules use.
 */
export default class WorkerEnvironment extends TestEnvironment {
  #before = { env: { ...process.env }, exit: process.exit };

  async setup() {
    await super.setup();
    const loadShipped = (file) => createRequire(file)(file);
    Object.assign(this.global, SHARED, { process, console, loadShipped });
  }

  /** Restores the state for the next file. */
  async teardown() {
    const { env, exit } = this.#before;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    Object.assign(process, { exit });
    await super.teardown();
  }
}
