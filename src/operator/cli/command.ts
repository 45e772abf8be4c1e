import type { Writable } from 'node:stream';
import type { Type } from '@nestjs/common';
import type { Command } from 'commander';
import type { Config } from '../../platform/config/config.js';
import type { OperatorAction } from '../../platform/database/installation/operator-log.js';
import { invalidInput, OperationError } from '../../platform/errors.js';
import type { Logger } from '../../platform/logging/logger.js';
import type { Runtime } from '../../start/runtime.js';

/** Where a command gets its settings, and where it writes to: a process, or what stands for one. */
export interface Surroundings extends Pick<NodeJS.Process, 'env' | 'cwd'> {
  stdout: Writable;
  stderr: Writable;
}

/** Gives a command the application's services. Nest's application context has this interface. */
export interface Services {
  get<Service>(type: abstract new (...args: never[]) => Service): Service;
  get(token: symbol): unknown;
}

export interface CommandCall {
  app: Services;
  options: Record<string, string | boolean | undefined>;
  runtime: Runtime;
}

export interface OnlineCommand {
  offline?: false;
  standalone?: false;
  /** The modules of its services, beside those of every command. */
  modules?: Type[];
  /**
   * What the operator log says of it: its target and details, by options and result. Null if there is nothing
   * to record; absent for commands that are not recorded, or record themselves.
   */
  recorded?(options: CommandCall['options'], result: never): Omit<OperatorAction, 'command'> | null;
  /** What a person reads beside the result, on standard error. */
  hint?(config: Pick<Config, 'baseUrl'>): string;
  run(call: CommandCall): Promise<unknown>;
}

export interface OfflineCall {
  options: CommandCall['options'];
  /** The whole command line. */
  shop: Command;
  at: Surroundings;
}

/** A command that works without a database and without a valid configuration. */
export interface OfflineCommand {
  offline: true;
  standalone?: false;
  run(call: OfflineCall): Promise<unknown>;
  /** Whether the result stands for a failure: exit code 1. */
  hasFailed?(result: never): boolean;
}

export interface StandaloneCall {
  options: CommandCall['options'];
  config: Config;
  log: Logger;
}

/**
 * A command that opens the database itself, because it also runs before there is one on which the application
 * could start.
 */
export interface StandaloneCommand {
  offline?: false;
  standalone: true;
  run(call: StandaloneCall): Promise<unknown>;
}

export type CommandCode = OnlineCommand | OfflineCommand | StandaloneCommand;

/** The code of commands by their names. */
export type Commands<Kind extends CommandCode = OnlineCommand> = Record<string, Kind>;

/** A command or option that does not exist, is missing or excludes another: exit code 2. */
export class UsageError extends OperationError {
  constructor(message: string) {
    super('invalid_input', message);
  }
}

export const text = (value: string | boolean | undefined) => value as string;
export const optionalText = (value: string | boolean | undefined) => value as string | undefined;

export function positiveInteger(
  value: string | boolean | undefined,
  name: string,
  max: number,
): number | undefined {
  if (value === undefined) return undefined;
  const number = /^\d{1,15}$/.test(value as string) ? Number(value) : 0;
  if (number < 1 || number > max) throw invalidInput(`${name} must be an integer from 1 to ${max}`);
  return number;
}
