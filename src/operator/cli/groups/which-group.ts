import type { Config } from '../../../platform/config/config.js';
import { systemStatement } from '../../../platform/database/statement.js';
import { runOn } from '../../../platform/database/system.js';
import { invalidInput, noSuchStore } from '../../../platform/errors.js';
import { type Command, type CommandCall, UsageError } from '../command.js';
import { placeOf } from '../../backup/moving/copy-store.js';
import { configIn, isAtHome, storesAt, visit } from './groups.js';
import { type Group, groupNamed, registryOf, type Registry } from './registry.js';

/** A group in which a command runs, by its configuration; `group` is null outside of groups. */
interface Place {
  group: string | null;
  config: Config;
}

/** @returns what it printed; the lists of several groups as one, with the group of each row */
export async function runInPlaces(
  config: Config,
  command: Command,
  options: CommandCall['options'],
  run: (config: Config) => Promise<unknown>,
): Promise<unknown> {
  const results: unknown[] = [];
  const places = await placesOf(config, command, options);
  for (const { group, config: at } of places) {
    const result = await (command.inGroups === 'all' ? run(at).catch(problemOf) : run(at));
    if (command.inGroups === undefined || group === null) results.push(result);
    else if (Array.isArray(result)) results.push(...result.map((row: object) => ({ group, ...row })));
    else results.push({ ...(result as object), group });
  }
  return command.inGroups === 'all' ? results.flat() : results[0];
}

/** A group that is lost hides nothing of the others. */
const problemOf = (error: Error) => [{ problem: error.message }];

/**
 * Finds the installation, or installations, that a command is about: the group that is named, that has the
 * store, or that has the fewest orders; all of them for a search.
 * @throws OperationError if it is not clear which one, or that one does not answer
 */
async function placesOf(
  config: Config,
  { inGroups, standalone }: Command,
  options: CommandCall['options'],
): Promise<Place[]> {
  const { group: name, store, to } = options as Record<string, string | undefined>;
  const { registry } = registryOf(config);
  const placeIn = (group: Group): Place => ({ group: group.name, config: configIn(config, group) });
  if (name !== undefined) return [placeIn(groupNamed(registry, name))];
  // Those that open the database themselves look into no other one first.
  if (registry.groups.length > 0 && !standalone) {
    if (inGroups === 'all') return registry.groups.map(placeIn);
    if (inGroups === 'emptiest') return [placeIn(await emptiest(registry, config))];
    if (store !== undefined) return [placeIn(await homeOf(registry, config, store.toLowerCase(), to))];
  }
  if (config.databaseUrl) return [{ group: null, config }];
  const names = registry.groups.map((group) => group.name).join(', ');
  throw new UsageError(`--group is required, or DATABASE_URL; the groups are ${names || 'none yet'}`);
}

/** @param to where it is being moved, which is not where it is */
async function homeOf(registry: Registry, config: Config, store: string, to?: string): Promise<Group> {
  const target = registry.groups.find(({ name, database }) => name === to || database === to);
  const others = registry.groups.filter((group) => group !== target);
  const visits = await visit(others, config, (client) => storesAt(client, store));
  const found = visits.flatMap(({ group, result }) => (result ?? []).map((row) => ({ group, row })));
  const home =
    found.find(({ group, row }) => isAtHome(row, group)) ??
    // A move that was interrupted after its last step is completed from where the store was.
    (target && found.find(({ row }) => row.hasLeft && row.movedTo === placeOf(target.database)));
  if (home) return home.group;
  const silent = visits.filter(({ problem }) => problem !== null);
  if (silent.length === 0) throw noSuchStore();
  throw invalidInput(
    `no group that answers has the store: ${silent.map(({ problem }) => problem).join('; ')}`,
  );
}

/** A store's load is that of its orders. The planner's estimate of them costs nothing. */
const LOAD = systemStatement(
  'group_load',
  `select greatest(reltuples, 0)::float8 as "orders!",
    (select count(*)::int from stores where moved_to is null) as "stores!"
  from pg_class where oid = 'orders'::regclass`,
);

export const loadOf = (groups: Group[], config: Config) =>
  visit(groups, config, async (client) => (await runOn(client, LOAD))[0]);

async function emptiest({ groups }: Registry, config: Config): Promise<Group> {
  const loads = await loadOf(groups, config);
  const answering = loads.flatMap(({ group, result }) => (result ? [{ group, ...result }] : []));
  const [least] = answering.sort((a, b) => a.orders - b.orders || a.stores - b.stores);
  if (!least) throw invalidInput(`no group answers: ${loads.map(({ problem }) => problem).join('; ')}`);
  return least.group;
}
