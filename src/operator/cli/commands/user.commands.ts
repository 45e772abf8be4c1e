import { Accounts } from '../../../people/accounts/accounts.service.js';
import { Attempts } from '../../../people/sign-in/attempts.service.js';
import { SecondFactor } from '../../../people/accounts/second-factor.service.js';
import { type Commands, optionalText, text } from '../command.js';
import { auditInStoresOf } from '../in-store.js';

const ofUser = (_: unknown, { email }: { email: string }) => ({ target: `user:${email}` });

export const COMMANDS: Commands = {
  'user show': {
    summary: 'Show an account: its stores and roles, its second factor, its open sessions.',
    options: [{ name: 'email', value: 'E', required: true }],
    run: ({ app, options }) => app.get(Accounts).show(text(options.email)),
  },
  'user password': {
    summary:
      'Set a new password for a person who lost theirs; ends their sessions and resets their sign-in ' +
      'attempts.',
    options: [
      { name: 'email', value: 'E', required: true },
      { name: 'password', value: 'P' },
    ],
    recorded: ofUser,
    async run({ app, options }) {
      const { password, ...account } = await app
        .get(Accounts)
        .resetByOperator(text(options.email), optionalText(options.password));
      await app.get(Attempts).clear(account);
      await auditInStoresOf(app, account.email, 'user.password');
      return { email: account.email, password };
    },
  },
  'user second-factor-off': {
    summary:
      'Turn off the second factor of a person who lost both app and recovery codes; find out first that it ' +
      'is them.',
    options: [{ name: 'email', value: 'E', required: true }],
    recorded: ofUser,
    async run({ app, options }) {
      const { userId, email } = await app.get(Accounts).get(text(options.email));
      const turnedOff = await app.get(SecondFactor).turnOff(userId);
      if (turnedOff) await auditInStoresOf(app, email, 'user.second_factor_off');
      return { email, turnedOff };
    },
  },
};
