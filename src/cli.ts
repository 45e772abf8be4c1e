import { parseArgs } from 'node:util';
import type { Command, Commands } from './operator/cli/command.js';
import { commandsAbout } from './operator/cli/commands.js';
import { ConfigurationError } from './platform/config/config.js';
import { readConfig } from './platform/config/environment.js';
import { createLogger } from './platform/logging/logger.js';
import { asRefusal, OperationError } from './platform/errors.js';

/** The operator's command line (docs/behaviour.md §9): `shop <command> [options] --json`. Output is data; logs go to standard error. */
async function main(args: string[]): Promise<void> {
  if (asksForHelp(args)) return help(args);
  const { name, command, options } = await parse(args);
  if (command.offline) return print(await command.run({ options }), options.json === true, name);
  const config = { ...readConfig(), roles: { web: false, deliver: false } };
  const log = createLogger(process.env.LOG_LEVEL ? config.logLevel : 'warn', 2);
  if (command.standalone) return print(await command.run({ options, config, log }), options.json === true, name);
  // The rest of what is read: the other commands need none of it.
  const [{ openRuntime }, { withServices }] = await Promise.all([import('./runtime.js'), import('./operator/cli/services.js')]);
  const runtime = await openRuntime(config, log, { join: true });
  try {
    print(await withServices(runtime, (app) => command.run({ app, options, runtime })), options.json === true, name);
  } finally {
    await runtime.close();
  }
}

/** `shop --help`, `shop help`, `shop help store`, `shop token create --help`. */
function asksForHelp(args: string[]): boolean {
  return args[0] === 'help' || args.includes('--help') || args.includes('-h');
}

/** Prints the commands that begin with the words given; all there are when none does. */
async function help(args: string[]): Promise<void> {
  const end = args.findIndex((arg) => arg.startsWith('-'));
  const words = args.slice(args[0] === 'help' ? 1 : 0, end < 0 ? undefined : end).join(' ');
  const all = await commandsAbout();
  const asked = Object.entries(all).filter(([name]) => `${name} `.startsWith(`${words} `));
  const shown = asked.length > 0 ? Object.fromEntries(asked) : all;
  if (args.includes('--json')) return print(Object.entries(shown).map(toHelp), true, 'help');
  process.stdout.write(`Commands of the operator; with --json each prints one JSON value.\n${usage(shown)}\n`);
}

const toHelp = ([name, { options, summary }]: [string, Command]) => ({
  command: name,
  summary,
  options: options.map(({ name: option, value = null, required = false }) => ({ option: `--${option}`, value, required })),
});

async function parse(args: string[]): Promise<{
  name: string;
  command: Command;
  options: Record<string, string | boolean | undefined>;
}> {
  const known = await commandsAbout(args[0]);
  const names = Object.keys(known).sort((a, b) => b.length - a.length);
  const name = names.find((candidate) => candidate.split(' ').every((word, i) => args[i] === word));
  if (!name) throw new OperationError('invalid_input', `There is no such command. Commands:\n${usage(await commandsAbout())}`);
  const command = known[name];
  try {
    const { values } = parseArgs({
      args: args.slice(name.split(' ').length),
      options: {
        json: { type: 'boolean' },
        ...Object.fromEntries(command.options.map((option) => [option.name, { type: option.type ?? 'string' }])),
      },
      strict: true,
    });
    const given = values as Record<string, string | boolean | undefined>;
    for (const option of command.options) {
      if (option.required && given[option.name] === undefined) throw new Error(`--${option.name} is required`);
    }
    return { name, command, options: given };
  } catch (error) {
    throw new OperationError('invalid_input', `${(error as Error).message}\n${usage({ [name]: command })}`);
  }
}

function usage(commands: Commands<Command>): string {
  return Object.entries(commands)
    .map(([name, { options, summary }]) => {
      const flags = options.map((option) => {
        const flag = `--${option.name}${option.value ? ` ${option.value}` : ''}`;
        return option.required ? flag : `[${flag}]`;
      });
      return `  shop ${[name, ...flags].join(' ')} [--json]\n      ${summary}`;
    })
    .join('\n');
}

function print(result: unknown, json: boolean, name: string): void {
  if (result === undefined) return;
  process.stdout.write(`${json ? JSON.stringify(result) : `${name}:\n${JSON.stringify(result, null, 2)}`}\n`);
}

main(process.argv.slice(2)).then(
  () => process.exit(),
  (error: Error) => {
    const refusal = error instanceof ConfigurationError ? new OperationError('invalid_input', error.message) : asRefusal(error);
    const { code, message } = refusal ?? { code: 'internal_error', message: error.message };
    if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify({ error: { code, message } })}\n`);
    else process.stderr.write(`${message}\n`);
    process.exit(1);
  },
);
