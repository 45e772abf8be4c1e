import { parseArgs } from 'node:util';
import {
  type Command,
  type OnlineCommand,
  type StandaloneCall,
  type Surroundings,
  UsageError,
} from './command.js';
import { commandsAbout } from './commands.js';
import { beginningWith, commandWords, declarations, nearest, noSuchCommand, toHelp, usage } from './help.js';
import { interruption, leavingNothing } from './interruption.js';
import { tableOf } from './table.js';
import { whichDatabase } from '../../platform/config/database-url.js';
import { ConfigurationError } from '../../platform/config/config.js';
import { readConfig } from '../../platform/config/environment.js';
import { createLogger } from '../../platform/logging/logger.js';
import { asRefusal, OperationError } from '../../platform/errors.js';
import { COMMIT, VERSION } from '../../platform/version.js';

/**
 * Runs one line of the operator's command line, `<command> [options] --json` (docs/behaviour.md §9). It
 * writes data to standard output, logs to standard error.
 * @param begin called before a command that uses the database
 * @returns the exit code
 */
export async function runCommand(
  args: string[],
  at: Surroundings,
  begin: () => void = () => undefined,
): Promise<number> {
  try {
    return await run(args, at, begin);
  } catch (error) {
    // An interrupted command fails only because its database ends.
    await interruption();
    await fail(error as Error, args, at);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function run(args: string[], at: Surroundings, begin: () => void): Promise<number> {
  if (asksForHelp(args)) return help(args, at);
  if (args[0] === '--version') return version(args, at);
  const { name, command, options } = await parse(args);
  const isJson = options.json === true;
  if (command.offline) {
    const result = await command.run({ options, declarations, at });
    await print(result, isJson, name, at);
    return command.hasFailed?.(result as never) ? 1 : 0;
  }
  begin();
  const config = { ...readConfig(at), roles: { web: false, deliver: false } };
  const log = createLogger(at.env.LOG_LEVEL ? config.logLevel : 'warn', 2);
  if (!isJson) at.stderr.write(`On the ${whichDatabase(config)}\n`);
  const work = async () =>
    command.standalone
      ? command.run({ options, config, log })
      : runOnline(name, command, { options, config, log });
  const result = await (config.databaseUrl ? work() : leavingNothing(config.dataDir, work));
  if (!isJson && command.hint) at.stderr.write(`${command.hint(config)}\n`);
  await print(result, isJson, name, at);
  return 0;
}

/** These modules are loaded only here, because the other commands do not need them. */
async function runOnline(
  name: string,
  command: OnlineCommand,
  { options, config, log }: StandaloneCall,
): Promise<unknown> {
  const [{ openExistingRuntime }, { withServices }, { runRecorded }] = await Promise.all([
    import('../../start/runtime.js'),
    import('./services.js'),
    import('./with-operator-log.js'),
  ]);
  const runtime = await openExistingRuntime(config, log);
  try {
    return await withServices(
      runtime,
      (app) => runRecorded(name, command, { app, options, runtime }),
      command.provides?.(runtime),
    );
  } finally {
    await runtime.close();
  }
}

/** Recognizes `shop --help`, `shop help`, `shop help store` and `shop token create --help`. */
function asksForHelp(args: string[]): boolean {
  return args[0] === 'help' || args.includes('--help') || args.includes('-h');
}

async function version(args: string[], at: Surroundings): Promise<number> {
  const about = { version: VERSION, commit: COMMIT };
  await write(at, `${args.includes('--json') ? JSON.stringify(about) : `${VERSION} (${COMMIT})`}\n`);
  return 0;
}

/** Prints the commands that begin with the given words, or all commands if there are no words. */
async function help(args: string[], at: Surroundings): Promise<number> {
  const words = commandWords(args[0] === 'help' ? args.slice(1) : args);
  const shown = beginningWith(words, await declarations());
  if (Object.keys(shown).length === 0) throw await noSuchCommand(words);
  if (args.includes('--json')) await print(Object.entries(shown).map(toHelp), true, 'help', at);
  else
    await write(at, `Commands of the operator. With --json each prints one JSON value.\n${usage(shown)}\n`);
  return 0;
}

async function parse(args: string[]): Promise<{
  name: string;
  command: Command;
  options: Record<string, string | boolean | undefined>;
}> {
  const known = await commandsAbout(args[0]);
  const longestFirst = Object.keys(known).sort((a, b) => b.length - a.length);
  const name = longestFirst.find((candidate) => candidate.split(' ').every((word, i) => args[i] === word));
  if (!name) throw await noSuchCommand(commandWords(args));
  const command = known[name];
  try {
    const { values, tokens } = parseArgs({
      args: args.slice(name.split(' ').length),
      options: {
        json: { type: 'boolean' },
        ...Object.fromEntries(
          command.options.map((option) => [option.name, { type: option.type ?? 'string' }]),
        ),
      },
      strict: true,
      tokens: true,
    });
    const names = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
    // Otherwise the last one would be used, although it is not clear which, for example which of two stores,
    // is meant.
    const repeated = names.find((option, i) => names.indexOf(option) < i);
    if (repeated !== undefined) throw new Error(`--${repeated} is given more than once`);
    const given = values as Record<string, string | boolean | undefined>;
    for (const option of command.options) {
      if (option.required && given[option.name] === undefined)
        throw new Error(`--${option.name} is required`);
    }
    return { name, command, options: given };
  } catch (error) {
    const { message } = error as Error;
    const [, wrong] = /^Unknown option '--([^']*)'/.exec(message) ?? [];
    const meant =
      wrong === undefined ? null : nearest(wrong, ['json', ...command.options.map((o) => o.name)]);
    const hint = meant === null ? '' : ` Did you mean --${meant}?`;
    throw new UsageError(`${message}${hint}\n${usage({ [name]: command })}`);
  }
}

async function print(result: unknown, json: boolean, name: string, at: Surroundings): Promise<void> {
  if (result === undefined) return;
  const text = json
    ? JSON.stringify(result)
    : typeof result === 'string'
      ? result
      : (tableOf(result) ?? `${name}:\n${JSON.stringify(result, null, 2)}`);
  await write(at, `${text}\n`);
}

/**
 * Writes a text to standard output, and resolves when all of it has been written: a pipe accepts 64 KiB at a
 * time, and the rest would be lost if the process ended.
 * @throws Error if the reader has closed the pipe, or the disk is full
 */
function write({ stdout }: Surroundings, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: Error) => reject(new Error(`the result could not be written: ${error.message}`));
    stdout.once('error', refuse).write(text, (error) => (error ? refuse(error) : resolve()));
  });
}

async function fail(error: Error, args: string[], at: Surroundings): Promise<void> {
  const refusal =
    error instanceof ConfigurationError
      ? new OperationError('invalid_input', error.message)
      : asRefusal(error);
  const { code, message } = refusal ?? { code: 'internal_error', message: error.message };
  const say = () => at.stderr.write(`${message}\n`);
  if (args.includes('--json'))
    await write(at, `${JSON.stringify({ error: { code, message } })}\n`).catch(say);
  else say();
}
