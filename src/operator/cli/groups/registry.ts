import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { withProcessLock } from '../../../embedded-postgres/process-lock.js';
import { databaseUrlProblem } from '../../../platform/config/database-url.js';
import { type Config, ConfigurationError } from '../../../platform/config/config.js';
import { invalidInput } from '../../../platform/errors.js';
import { replaceFile } from './replace-file.js';

/** An installation that has a part of the stores (docs/decisions/0014). */
export interface Group {
  name: string;
  /** Connects as the owner of the tables. */
  database: string;
  /** Its BASE_URL, whose host begins with the name. */
  address: string;
}

/** Where the balancer reads which group has a store. */
export interface BalancerMap {
  file: string;
  /** The sockets of running balancers, each a path or `host:port`. */
  sockets: string[];
}

export interface Registry {
  groups: Group[];
  map: BalancerMap | null;
}

const NAME = /^[a-z](?:[a-z0-9-]{0,28}[a-z0-9])?$/;

/** @returns what is wrong with a group, beginning with the field, or null */
export function groupProblem({ name, database, address }: Group): string | null {
  if (!NAME.test(name))
    return 'name must be 1 to 30 lower-case letters, digits and hyphens, and begin with a letter';
  const problem = databaseUrlProblem(database);
  if (problem !== null) return `database: ${problem}`;
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`)
    return 'address must be an http or https URL without a path';
  // The balancer makes the host of a group of its name.
  if (!url.hostname.startsWith(`${name}.`))
    return `address: its host must begin with the name, as in ${name}.shops.example`;
  return null;
}

const CONTENT = z.object({
  groups: z.array(
    z
      .object({ name: z.string(), database: z.string(), address: z.string() })
      .refine((group) => groupProblem(group) === null, { error: 'is not a group' }),
  ),
  map: z.object({ file: z.string(), sockets: z.array(z.string()) }).nullable(),
});

/**
 * @returns the registry and its file @throws ConfigurationError if there is none, or no key for its databases
 */
export function registryOf(config: Pick<Config, 'groupsFile' | 'encryptionKeys'>): {
  file: string;
  registry: Registry;
} {
  const file = config.groupsFile;
  if (file === null)
    throw new ConfigurationError('GROUPS_FILE is not set: the file in which the groups are registered');
  if (config.encryptionKeys === null)
    throw new ConfigurationError('ENCRYPTION_KEY: is required with GROUPS_FILE, the key of all groups');
  return { file, registry: readRegistry(file) };
}

/** The groups of a file; none if there is no file yet. @throws ConfigurationError if it is not a registry */
function readRegistry(file: string): Registry {
  if (!existsSync(file)) return { groups: [], map: null };
  try {
    return CONTENT.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    const [issue] = error instanceof z.ZodError ? error.issues : [];
    const problem = issue ? `${issue.path.join('.')} ${issue.message}` : (error as Error).message;
    throw new ConfigurationError(`GROUPS_FILE: ${file} is not a registry of groups: ${problem}`);
  }
}

/** Work that no other command does at the same time. */
export const alone = <Result>(file: string, work: () => Promise<Result>): Promise<Result> =>
  withProcessLock(`${file}.lock`, work);

/**
 * Changes the registry. Only its owner can read the file, because it has the passwords of databases.
 * @param change may throw, and nothing is changed
 */
export const changeRegistry = (
  config: Pick<Config, 'groupsFile' | 'encryptionKeys'>,
  change: (registry: Registry) => Registry,
): Promise<void> =>
  alone(registryOf(config).file, () => {
    const { file, registry } = registryOf(config);
    replaceFile(file, `${JSON.stringify(change(registry), null, 2)}\n`, 0o600);
    return Promise.resolve();
  });

/** @throws OperationError invalid_input */
export function groupNamed({ groups }: Registry, name: string): Group {
  const group = groups.find((known) => known.name === name);
  if (group) return group;
  const names = groups.map((known) => known.name).join(', ');
  throw invalidInput(`there is no group ${name}${names === '' ? '' : `; the groups are ${names}`}`);
}
