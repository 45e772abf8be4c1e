import { Accounts } from '../../../people/accounts/accounts.service.js';
import { Attempts } from '../../../people/sign-in/attempts.service.js';
import { SecondFactor } from '../../../people/accounts/second-factor.service.js';
import { type Commands, optionalText, text } from '../command.js';
import { auditInStoresOf } from '../in-store.js';

const ofUser = (_: unknown, { email }: { email: string }) => ({ target: `user:${email}` });

export const COMMANDS = {
  'user show': {
    run: ({ app, options }) => app.get(Accounts).show(text(options.email)),
  },
  'user password': {
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
    recorded: ofUser,
    async run({ app, options }) {
      const { userId, email } = await app.get(Accounts).get(text(options.email));
      const turnedOff = await app.get(SecondFactor).turnOff(userId);
      if (turnedOff) await auditInStoresOf(app, email, 'user.second_factor_off');
      return { email, turnedOff };
    },
  },
} satisfies Commands;
