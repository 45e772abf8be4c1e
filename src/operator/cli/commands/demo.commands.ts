import { seedDemo } from '../../demo/seed-demo.js';
import { PaymentsModule } from '../../../groups/payments/payments.module.js';
import { GROUP_MODULES } from '../../../start/group-modules.js';
import { forbidden } from '../../../platform/errors.js';
import { type Commands } from '../command.js';

export const COMMANDS = {
  'demo seed': {
    modules: [...GROUP_MODULES, PaymentsModule],
    recorded: () => ({}),
    async run({ app, runtime }) {
      if (runtime.config.nodeEnv === 'production')
        throw forbidden('demo seed is refused when NODE_ENV is production');
      return seedDemo(app);
    },
  },
} satisfies Commands;
