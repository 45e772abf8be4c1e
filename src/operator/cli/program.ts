import type { Command } from 'commander';
import type { DeclaredCommand } from './commands.js';

/**
 * Adds the commands to the command line.
 * @param args of which the value of an option may be one
 */
export function declareCommands(
  shop: Command,
  commands: DeclaredCommand[],
  args: string[],
  run: (declared: DeclaredCommand, options: Record<string, string | boolean | undefined>) => Promise<void>,
): void {
  for (const declared of commands) {
    const command = declared.name.split(' ').reduce(madeChildOf, shop).description(declared.summary);
    for (const flags of [...declared.options, '[--json]']) {
      if (flags.startsWith('[')) command.option(flags.slice(1, -1));
      else command.requiredOption(flags);
    }
    refuseUnclear(command, args);
    command.action(() => {
      const given = command.options.flatMap((option) => {
        const value = command.getOptionValue(option.attributeName()) as string | true | undefined;
        return value === undefined ? [] : [[option.name(), value]];
      });
      return run(declared, Object.fromEntries(given));
    });
  }
}

export const childOf = (parent: Command | undefined, name: string): Command | undefined =>
  parent?.commands.find((child) => child.name() === name);

const madeChildOf = (parent: Command, name: string): Command =>
  childOf(parent, name) ?? parent.command(name).helpCommand(false).addHelpText('before', 'Usage:');

/**
 * Refuses an option that is given twice, because it is not clear which one, for example which of two stores,
 * is meant, and an option in place of a value.
 */
function refuseUnclear(command: Command, args: string[]): void {
  const seen = new Set<string>();
  for (const option of command.options) {
    const long = `--${option.name()}`;
    command.on(`option:${option.name()}`, (value?: string) => {
      if (seen.has(long)) command.error(`${long} is given more than once`);
      seen.add(long);
      if (value?.startsWith('-') && value !== '-' && !args.includes(`${long}=${value}`))
        command.error(`${long} has no value. One that begins with - is given as ${long}=${value}`);
    });
  }
}

/** The commands themselves, without the words that begin several. */
const leavesOf = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);

/** The words of a command, such as `store create`. */
const nameOf = (command: Command): string =>
  command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();

/** A line for each command, with its options, and what it does. */
export const usageOf = (command: Command): string =>
  leavesOf(command)
    .map((leaf) => {
      const flags = leaf.options.map(({ flags, mandatory }) => {
        const flag = flags.replace(/[<>]/g, '');
        return mandatory ? flag : `[${flag}]`;
      });
      return `  shop ${[nameOf(leaf), ...flags].join(' ')}\n      ${leaf.description()}\n`;
    })
    .join('');

/** The commands as `help --json` prints them. */
export const helpOf = (command: Command): object[] =>
  leavesOf(command).map((leaf) => ({
    command: nameOf(leaf),
    summary: leaf.description(),
    options: leaf.options
      .filter(({ long }) => long !== '--json')
      .map(({ long, flags, mandatory }) => ({
        option: long,
        value: /<(.*)>/.exec(flags)?.[1] ?? null,
        required: mandatory,
      })),
  }));
