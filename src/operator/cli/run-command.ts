import { Command, CommanderError } from 'commander';
import { type OfflineCall, type Services, type Surroundings, UsageError } from './command.js';
import { ALL_COMMANDS, type DeclaredCommand } from './commands.js';
import { interruption, leavingNothing } from './interruption.js';
import { childOf, declareCommands, helpOf, usageOf } from './program.js';
import { tableOf } from './table.js';
import { whichDatabase } from '../../platform/config/database-url.js';
import { ConfigurationError } from '../../platform/config/config.js';
import { readConfig } from '../../platform/config/environment.js';
import { createLogger } from '../../platform/logging/logger.js';
import { asRefusal, OperationError } from '../../platform/errors.js';
import { COMMIT, VERSION } from '../../platform/version.js';
import type { Runtime } from '../../start/runtime.js';

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
    return await parse(args, at, begin);
  } catch (error) {
    // An interrupted command fails only because its database ends.
    await interruption();
    await fail(error as Error, args, at);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function parse(args: string[], at: Surroundings, begin: () => void): Promise<number> {
  const isJson = args.includes('--json');
  let [said, code] = ['', 0];
  const say = (text: string) => void (said += text);
  const shop = new Command('shop')
    .exitOverride()
    .configureOutput({
      writeOut: say,
      writeErr: say,
      outputError: (text) => say(text.replace(/^error: /, '')),
    })
    .configureHelp({ formatHelp: usageOf })
    .showHelpAfterError()
    .enablePositionalOptions()
    .version(
      isJson ? JSON.stringify({ version: VERSION, commit: COMMIT }) : `${VERSION} (${COMMIT})`,
      '--version',
    );
  declareCommands(shop, ALL_COMMANDS, args, async (declared, options) => {
    code = await run(declared, { options, shop, at }, begin);
  });
  shop
    .addHelpText('before', 'A command has to come first. Commands:')
    .showHelpAfterError('shop help lists all commands');
  const words = wordsOfHelp(args);
  const about = words?.reduce(childOf, shop as Command | undefined);
  try {
    // Without a command there is nothing whose option --json could be.
    const line = words ?? (args.every((word) => word === '--json') ? [] : args);
    if (!about) await shop.parseAsync(line, { from: 'user' });
    else if (isJson) await print(helpOf(about), true, 'help', at);
    else
      await write(at, `Commands of the operator. With --json each prints one JSON value.\n${usageOf(about)}`);
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw new UsageError(said.trimEnd());
    await write(at, said);
    return 0;
  }
}

/** The words of `shop --help`, `shop help store` or `shop token create --help`; null for any other line. */
function wordsOfHelp(args: string[]): string[] | null {
  if (args[0] !== 'help' && !args.includes('--help') && !args.includes('-h')) return null;
  const words = args[0] === 'help' ? args.slice(1) : args;
  const end = words.findIndex((word) => word.startsWith('-'));
  return end < 0 ? words : words.slice(0, end);
}

/** @returns the exit code */
async function run({ name, code }: DeclaredCommand, call: OfflineCall, begin: () => void): Promise<number> {
  const { options, at } = call;
  const isJson = options.json === true;
  const command = await code();
  if (command.offline) {
    const result = await command.run(call);
    await print(result, isJson, name, at);
    return command.hasFailed?.(result as never) ? 1 : 0;
  }
  begin();
  const config = { ...readConfig(at), roles: { web: false, deliver: false } };
  const log = createLogger(at.env.LOG_LEVEL ? config.logLevel : 'warn', 2);
  if (!isJson) at.stderr.write(`On the ${whichDatabase(config)}\n`);
  const work = async () => {
    if (command.standalone) return command.run({ options, config, log });
    // Only these commands need the application's services, which take long to load.
    const { onInstallation, runRecorded } = await import('./services.js');
    const recorded = (app: Services, runtime: Runtime) =>
      runRecorded(name, command, { app, options, runtime });
    return onInstallation(config, log, recorded, command.modules);
  };
  const result = await (config.databaseUrl ? work() : leavingNothing(config.dataDir, work));
  if (!isJson && !command.standalone && command.hint) at.stderr.write(`${command.hint(config)}\n`);
  await print(result, isJson, name, at);
  return 0;
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
