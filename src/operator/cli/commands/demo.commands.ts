import { seedDemo } from '../../demo/seed-demo.js';
import { forbidden } from '../../../platform/errors.js';
import { type Commands } from '../command.js';

export const COMMANDS: Commands = {
  'demo seed': {
    summary: 'Make a demo store with three months of orders, all that belongs to them, and tokens.',
    options: [],
    recorded: () => ({}),
    async run({ app, runtime }) {
      if (runtime.config.nodeEnv === 'production')
        throw forbidden('demo seed is refused when NODE_ENV is production');
      return seedDemo(app);
    },
  },
};
