import { openRuntime } from '../../../start/runtime.js';
import type { Commands, StandaloneCommand } from '../command.js';

export const COMMANDS: Commands<StandaloneCommand> = {
  migrate: {
    summary: 'Migrate the database to the newest schema while other instances serve.',
    options: [],
    standalone: true,
    run: async ({ config, log }) => {
      const runtime = await openRuntime(config, log, { command: 'migrate' });
      await runtime.close();
      return runtime.migrationsApplied;
    },
  },
};
