import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Config } from '../../../platform/config/config.js';
import { invalidInput } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logging/logger.js';
import { isAtHome, storesAt, type StoreRow, visit, type Visit } from './groups.js';
import { alone, registryOf } from './registry.js';
import { replaceFile } from './replace-file.js';

/** HAProxy takes so many lines at once: tune.bufsize is 16 kB. */
const LINES = 200;
const PATIENCE_MS = 10_000;

/** What was written for the balancer. */
export interface WrittenMap {
  file: string;
  stores: number;
  /** The groups that did not answer, whose lines stay as they were. */
  kept: string[];
}

/**
 * Writes which group has each store, for a balancer that starts, and tells those that run. They take all of
 * it at once, and no call is lost.
 * @throws OperationError invalid_input if a balancer does not take it; the file is written then
 */
export function writeMap(config: Config): Promise<WrittenMap> {
  // Otherwise what was read before another command's change could be written after it.
  return alone(registryOf(config).file, async () => {
    const { map, groups } = registryOf(config).registry;
    const { file, sockets } = map!;
    const visits = await visit(groups, config, (client) => storesAt(client, null));
    const homes = homesOf(visits, linesOf(file));
    const lines = [
      ...groups.map(({ name }) => `${name} ${name}`),
      ...[...homes].map((line) => line.join(' ')),
    ];
    replaceFile(file, lines.map((line) => `${line}\n`).join(''), 0o644);
    await Promise.all(sockets.map((socket) => tell(socket, file, lines)));
    const kept = visits.flatMap(({ group, problem }) => (problem === null ? [] : [group.name]));
    return { file, stores: homes.size, kept };
  });
}

/** Writes the map after a change of stores, which has been made, so that a failure is only logged. */
export async function noteStores(config: Config, log: Logger): Promise<void> {
  if (config.groupsFile === null || registryOf(config).registry.map === null) return;
  try {
    await writeMap(config);
  } catch (error) {
    log.error({ err: error }, 'the balancer was not told: run shop group map');
  }
}

/** The stores by their groups; what is not known at the moment, by what was written last. */
function homesOf(visits: Visit<StoreRow[]>[], former: Map<string, string>): Map<string, string> {
  const homes = new Map<string, string>();
  const rows = new Map<string, number>();
  for (const { group, result } of visits) {
    for (const row of result ?? []) {
      rows.set(row.id, (rows.get(row.id) ?? 0) + 1);
      if (isAtHome(row, group)) homes.set(row.id, group.name);
    }
  }
  const isLost = new Map(visits.map(({ group, problem }) => [group.name, problem !== null]));
  for (const [id, name] of former) {
    // For a moment of its move a store is in two groups, and at home in none.
    if (isLost.has(name) && id !== name && !homes.has(id) && (isLost.get(name) || rows.get(id)! > 1))
      homes.set(id, name);
  }
  return homes;
}

const linesOf = (file: string): Map<string, string> =>
  new Map(
    (existsSync(file) ? readFileSync(file, 'utf8') : '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split(' ') as [string, string]),
  );

/** Replaces the map of a balancer that runs. */
async function tell(socket: string, file: string, lines: string[]): Promise<void> {
  const ask = async (command: string, expected: RegExp) => {
    const answer = await answerOf(socket, command).catch((error: Error) => error.message);
    const found = expected.exec(answer.trim());
    if (!found)
      throw invalidInput(`the map is written, but the balancer at ${socket} does not take it: ${answer}`);
    return found;
  };
  const [, version] = await ask(`prepare map ${file}`, /^New version created: (\d+)$/);
  for (let i = 0; i < lines.length; i += LINES)
    await ask(`add map @${version} ${file} <<\n${lines.slice(i, i + LINES).join('\n')}\n`, /^$/);
  await ask(`commit map @${version} ${file}`, /^$/);
}

/** What a balancer answers to a command of its runtime API. */
function answerOf(socket: string, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const [, host, port] = /^([^/]+):(\d+)$/.exec(socket) ?? [];
    const connection = host ? connect(Number(port), host.replace(/^\[|\]$/g, '')) : connect(socket);
    let answer = '';
    connection.setTimeout(PATIENCE_MS, () => connection.destroy(new Error('it does not answer')));
    connection.on('data', (data) => (answer += data.toString()));
    connection.on('error', reject).on('end', () => resolve(answer));
    connection.write(`${command}\n`);
  });
}
