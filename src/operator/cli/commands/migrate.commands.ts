import { openRuntime } from '../../../start/runtime.js';
import type { Commands, StandaloneCommand } from '../command.js';

export const COMMANDS = {
  migrate: {
    standalone: true,
    run: async ({ config, log }) => {
      const runtime = await openRuntime(config, log, { command: 'migrate' });
      await runtime.close();
      return runtime.migrationsApplied;
    },
  },
} satisfies Commands<StandaloneCommand>;
