import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import Runtime from 'jest-runtime';
import { asShipped } from './as-shipped.mjs';

/**
 * Loads the service as it was built, and packages as they are installed, with Node itself: once per worker. Spec files and what else is
 * below `test` stay Jest's, and are loaded anew for each file. Jest has an option for neither, so the two methods that would load and
 * compile are replaced.
 */
export default class WorkerRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    const { cjsLoader, executor } = this;
    const loadAnew = cjsLoader.loadModule.bind(cjsLoader);
    cjsLoader.loadModule = (module, from, name, file, options, registry) => {
      const shipped = options?.isInternalModule ? null : asShipped(file);
      if (shipped === null) return loadAnew(module, from, name, file, options, registry);
      module.exports = createRequire(shipped)(shipped);
      module.loaded = true;
    };
    executor.compile = (code, filename) => compileFunction(code, executor.injectedModuleParameters, { filename });
  }
}
