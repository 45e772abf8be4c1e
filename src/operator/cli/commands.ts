import type { Command, Commands } from './command.js';

type CommandFile = Promise<{ COMMANDS: Commands<Command> }>;

const desk = (): CommandFile => import('./desk.commands.js');
const backup = (): CommandFile => import('./backup.commands.js');

/** Where the commands are, by their first words. Most of what a command takes is reading code, so only its own is read. */
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

/** The commands that begin with this word; all there are when none does. */
export async function commandsAbout(word = ''): Promise<Commands<Command>> {
  const files = Object.hasOwn(FILES, word) ? [FILES[word]] : new Set(Object.values(FILES));
  const loaded = await Promise.all([...files].map((load) => load()));
  return Object.assign({}, ...loaded.map(({ COMMANDS }) => COMMANDS)) as Commands<Command>;
}
