import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import Runtime from 'jest-runtime';
import { asShipped } from './as-shipped.mjs';

/**
 * Loads the built service and the installed packages with Node itself, once per worker. Spec files and
 * everything else below `test` are loaded by Jest, again for each file. Jest has no option for either, so the
 * two methods that load and compile are replaced.
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
    executor.compile = (code, filename) =>
      compileFunction(code, executor.injectedModuleParameters, { filename });
  }
}
