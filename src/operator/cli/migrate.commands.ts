import { openRuntime } from '../../runtime.js';
import type { Commands, StandaloneCommand } from './command.js';

export const COMMANDS: Commands<StandaloneCommand> = {
  migrate: {
    summary: 'Bring the database to the newest schema, beside instances that serve.',
    options: [],
    standalone: true,
    run: async ({ config, log }) => {
      const runtime = await openRuntime(config, log, { join: true });
      await runtime.close();
      return runtime.migrationsApplied;
    },
  },
};
