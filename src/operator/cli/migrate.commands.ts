import { openRuntime } from '../../runtime.js';
import type { StandaloneCommand } from './commands.js';

export const MIGRATE_COMMANDS: Record<string, StandaloneCommand> = {
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
