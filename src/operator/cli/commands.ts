import type { Command, Commands } from './command.js';

type CommandFile = Promise<{ COMMANDS: Commands<Command> }>;

const desk = (): CommandFile => import('./commands/integrator.commands.js');
const backup = (): CommandFile => import('./commands/backup.commands.js');

/**
 * The files of the commands, by their first words. Loading code takes most of a command's time, so only its
 * own file is loaded.
 */
const FILES: Record<string, () => CommandFile> = {
  store: () => import('./commands/store.commands.js'),
  customer: () => import('./commands/customer.commands.js'),
  user: () => import('./commands/user.commands.js'),
  token: () => import('./commands/token.commands.js'),
  webhook: () => import('./commands/webhook.commands.js'),
  trigger: desk,
  storefront: desk,
  order: () => import('./commands/order.commands.js'),
  billing: () => import('./commands/billing.commands.js'),
  operator: () => import('./commands/operator.commands.js'),
  oauth: () => import('./commands/oauth.commands.js'),
  keys: () => import('./commands/keys.commands.js'),
  demo: () => import('./commands/demo.commands.js'),
  backup,
  restore: backup,
  recovered: backup,
  move: backup,
  completion: () => import('./completion.js'),
  doctor: () => import('./commands/doctor.commands.js'),
  migrate: () => import('./commands/migrate.commands.js'),
};

/** The commands that begin with this word; all commands if none does. */
export async function commandsAbout(word = ''): Promise<Commands<Command>> {
  const files = Object.hasOwn(FILES, word) ? [FILES[word]] : new Set(Object.values(FILES));
  const loaded = await Promise.all([...files].map((load) => load()));
  return Object.assign({}, ...loaded.map(({ COMMANDS }) => COMMANDS)) as Commands<Command>;
}
