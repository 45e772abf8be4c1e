import type { CommandCode } from './command.js';

/** What a command does, and its options: those in brackets may be left out. */
type Described = [summary: string, ...options: string[]];

export interface DeclaredCommand {
  name: string;
  summary: string;
  options: string[];
  code(): Promise<CommandCode>;
}

/** Declares the commands of a file. Each that it has is declared, and has its code there. */
const from = <Code extends Record<string, CommandCode>>(
  load: () => Promise<{ COMMANDS: Code }>,
  described: Record<keyof Code & string, Described>,
): DeclaredCommand[] =>
  Object.entries<Described>(described).map(([name, [summary, ...options]]) => ({
    name,
    summary,
    options,
    code: async () => (await load()).COMMANDS[name],
  }));

/**
 * All commands. Loading code takes most of a command's time, so a command's code is loaded when it runs.
 */
export const ALL_COMMANDS: DeclaredCommand[] = [
  ...from(() => import('./commands/store.commands.js'), {
    'store create': [
      'Make a store and its owner. An address that has an account gets an invitation, a link that works ' +
        'once, to hand on.',
      '--name <N>',
      '--currency <USD>',
      '--owner-email <E>',
      '[--owner-password <P>]',
      '[--plan <CODE>]',
      '[--time-zone <Europe/Kyiv>]',
    ],
    'store list': [
      'List the stores: all, those with a text in their name or id, or those of a member.',
      '[--search <TEXT>]',
      '[--email <E>]',
    ],
    'store suspend': [
      'Refuse everybody who calls the store, with the reason; its data stays, its deliveries wait.',
      '--store <ID>',
      '--reason <R>',
    ],
    'store resume': ['Open a suspended store again; what waited is delivered.', '--store <ID>'],
    'store move': [
      'Move a store to another installation of the same version and key, by its database; here it is left ' +
        'suspended. It answers reads meanwhile. Run again, or with --undo, after an interruption.',
      '--store <ID>',
      '--to <DATABASE_URL>',
      '[--base-url <URL>]',
      '[--undo]',
    ],
    'store export': [
      'Write all that a store owns, as it is at this moment, into a new folder: a file of JSON lines for ' +
        'each table.',
      '--store <ID>',
      '--to <FOLDER>',
    ],
    'store delete': [
      'Delete a store and everything in it, for good. Its name has to be given, or --yes.',
      '--store <ID>',
      '[--confirm <NAME>]',
      '[--yes]',
    ],
  }),
  ...from(() => import('./commands/customer.commands.js'), {
    'customer erase': [
      'Remove everything that identifies a customer from the stored data; orders, amounts and bonus stay.',
      '--store <ID>',
      '--customer <ID>',
    ],
  }),
  ...from(() => import('./commands/user.commands.js'), {
    'user show': [
      'Show an account: its stores and roles, its second factor, its open sessions.',
      '--email <E>',
    ],
    'user password': [
      'Set a new password for a person who lost theirs; ends their sessions and resets their sign-in ' +
        'attempts.',
      '--email <E>',
      '[--password <P>]',
    ],
    'user second-factor-off': [
      'Turn off the second factor of a person who lost both app and recovery codes; find out first that ' +
        'it is them.',
      '--email <E>',
    ],
  }),
  ...from(() => import('./commands/token.commands.js'), {
    'token create': [
      'Make an API token. It is shown only now.',
      '--store <ID>',
      '--name <N>',
      '--scope <read|write|admin>',
      '[--groups <G,G>]',
      '[--expires-in-days <D>]',
    ],
    'token list': ['List the API tokens of a store, newest first, also the revoked ones.', '--store <ID>'],
    'token revoke': ['Revoke an API token, at once and everywhere.', '--store <ID>', '--id <T>'],
  }),
  ...from(() => import('./commands/webhook.commands.js'), {
    'webhook listen': [
      'Receive webhooks here: prints each as a line of JSON. With --secret it verifies signatures and ' +
        'says why one does not match; with --forward-to it passes each on, as it came, and answers what is ' +
        'answered there.',
      '[--port <N>]',
      '[--secret <whsec_…>]',
      '[--forward-to <URL>]',
    ],
    'webhook set': [
      'Set the webhook URL. The signing secret is shown on the first save only.',
      '--store <ID>',
      '--url <U>',
    ],
    'webhook deliveries': [
      'List recent deliveries with their attempts, newest first: of a store, only those that failed for ' +
        'good, or, with --failed --all, those of every store.',
      '[--store <ID>]',
      '[--failed]',
      '[--all]',
      '[--take <N>]',
    ],
    'webhook rotate-secret': [
      'Give the webhook a new signing secret. It is shown only now, and attempts from now on are signed ' +
        'with it; with --overlap the old one signs too for 24 hours, in webhook-signature.',
      '--store <ID>',
      '[--overlap]',
    ],
    'webhook redeliver': [
      'Send a delivery again, or all that failed since a time.',
      '--store <ID>',
      '[--id <D>]',
      '[--failed-since <TIME>]',
    ],
  }),
  ...from(() => import('./commands/integrator.commands.js'), {
    'trigger order.created': [
      "Send a test order.created to the store's webhook, now, and print what it answered.",
      '--store <ID>',
    ],
    'trigger order.updated': [
      "Send a test order.updated to the store's webhook, now, and print what it answered.",
      '--store <ID>',
    ],
    'storefront init-data': [
      "Sign Mini App init data as the messenger would, for a shopper of your choice: the storefront's " +
        'credential for a day.',
      '--store <ID>',
      '--user <N>',
    ],
  }),
  ...from(() => import('./commands/order.commands.js'), {
    'order place': ['Place an order from a JSON file, as the storefront does.', '--store <ID>', '--file <F>'],
  }),
  ...from(() => import('./commands/billing.commands.js'), {
    'billing plan': ['Put the store on a plan, at once.', '--store <ID>', '--plan <CODE>'],
    'billing issue': [
      'Issue the invoice of the period that contains the day (default: that ended last), or print it again.',
      '--store <ID>',
      '[--period <YYYY-MM-DD>]',
    ],
    'billing pay': ['Record the payment of an invoice.', '--store <ID>', '--number <N>'],
  }),
  ...from(() => import('./commands/operator.commands.js'), {
    'operator log': [
      'List what operators did to this installation, newest first: when, who, where and to what.',
      '[--since <T>]',
    ],
  }),
  ...from(() => import('./commands/oauth.commands.js'), {
    'oauth client add': [
      "Add a partner's app, with the addresses it may be sent back to. Prints its client id.",
      '--name <N>',
      '--redirect-uris <U,U>',
    ],
    'oauth client block': [
      'Refuse an app by its client id, or all that describe themselves at a host. What they were granted ' +
        'ends at once.',
      '[--id <C>]',
      '[--host <H>]',
    ],
    'oauth client unblock': ['Let an app, or a host, ask for access again.', '[--id <C>]', '[--host <H>]'],
    'oauth connections': ['List the apps that members of a store let in, newest first.', '--store <ID>'],
    'oauth revoke': ['Disconnect an app from a store, at once and everywhere.', '--store <ID>', '--id <G>'],
  }),
  ...from(() => import('./commands/keys.commands.js'), {
    'keys rotate': [
      'Seal every secret with the first key of ENCRYPTION_KEY; the others may be removed from it ' +
        'afterwards.',
    ],
  }),
  ...from(() => import('./commands/demo.commands.js'), {
    'demo seed': ['Make a demo store with three months of orders, all that belongs to them, and tokens.'],
  }),
  ...from(() => import('./commands/backup.commands.js'), {
    backup: [
      'Write everything, or one store, as it is at this moment, to a file that is read back; the service ' +
        'may run.',
      '--to <F|->',
      '[--store <ID>]',
    ],
    restore: [
      'Put a backup into an empty database, or one store of it into an installation that has others; with ' +
        '--as-new as a new store beside the first one.',
      '--from <F|->',
      '[--store <ID>]',
      '[--as-new]',
    ],
    recovered: [
      'After PostgreSQL was recovered to an earlier moment (point in time, snapshot of a disk): let ' +
        'readers of changes start anew. Once, before the service starts.',
    ],
    move: [
      'Copy everything of the embedded database into an empty one; the service must be stopped.',
      '--to <DATABASE_URL>',
    ],
  }),
  ...from(() => import('./completion.js'), {
    'completion bash': [
      'Print the completion for bash: eval "$(shop completion bash)", where shop runs this command line.',
    ],
    'completion zsh': ['Print the completion for zsh: eval "$(shop completion zsh)".'],
  }),
  ...from(() => import('./commands/doctor.commands.js'), {
    doctor: [
      'Report what is wrong or missing in this installation, and how to fix it. Changes nothing; exit ' +
        'code 1 for an error.',
    ],
  }),
  ...from(() => import('./commands/migrate.commands.js'), {
    migrate: ['Migrate the database to the newest schema while other instances serve.'],
  }),
];
