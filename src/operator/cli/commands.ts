import type { Command, Commands } from './command.js';

type CommandFile = Promise<{ COMMANDS: Commands<Command> }>;

const desk = (): CommandFile => import('./desk.commands.js');
const backup = (): CommandFile => import('./backup.commands.js');

/**
 * The files of the commands, by their first words. Loading code takes most of a command's time, so only its
 * own file is loaded.
 */
const FILES: Record<string, () => CommandFile> = {
  store: () => import('./store.commands.js'),
  customer: () => import('./customer.commands.js'),
  user: () => import('./user.commands.js'),
  token: () => import('./token.commands.js'),
  webhook: () => import('./webhook.commands.js'),
  trigger: desk,
  storefront: desk,
  order: () => import('./order.commands.js'),
  billing: () => import('./billing.commands.js'),
  oauth: () => import('./oauth.commands.js'),
  keys: () => import('./keys.commands.js'),
  demo: () => import('./demo.commands.js'),
  backup,
  restore: backup,
  move: backup,
  doctor: () => import('./doctor.commands.js'),
  migrate: () => import('./migrate.commands.js'),
};

/** The commands that begin with this word; all commands if none does. */
export async function commandsAbout(word = ''): Promise<Commands<Command>> {
  const files = Object.hasOwn(FILES, word) ? [FILES[word]] : new Set(Object.values(FILES));
  const loaded = await Promise.all([...files].map((load) => load()));
  return Object.assign({}, ...loaded.map(({ COMMANDS }) => COMMANDS)) as Commands<Command>;
}
