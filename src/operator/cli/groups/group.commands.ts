import path from 'node:path';
import { invalidInput } from '../../../platform/errors.js';
import { placeOf } from '../../backup/moving/copy-store.js';
import { type Commands, optionalText, type StandaloneCommand, text, UsageError } from '../command.js';
import { visit } from './groups.js';
import { noteStores, writeMap } from './map.js';
import { changeRegistry, groupNamed, groupProblem, registryOf } from './registry.js';
import { loadOf } from './which-group.js';

const NAME = { name: 'name', value: 'N', required: true };

/** What no two groups may have in common. */
const DATABASE = `
  select system_identifier::text || '/' || current_database() as id from pg_control_system()`;

export const COMMANDS: Commands<StandaloneCommand> = {
  'group list': {
    summary: 'List the groups of stores: where each is, and how many stores and orders it has.',
    options: [],
    standalone: true,
    inGroups: 'none',
    async run({ config }) {
      const loads = await loadOf(registryOf(config).registry.groups, config);
      return loads.map(({ group, result, problem }) => ({
        name: group.name,
        address: group.address,
        database: placeOf(group.database),
        stores: result?.stores ?? null,
        orders: result?.orders ?? null,
        problem,
      }));
    },
  },
  'group add': {
    summary:
      'Add an installation to the groups of stores, by the address of its database and its BASE_URL, whose ' +
      'host begins with the name.',
    options: [
      NAME,
      { name: 'database', value: 'DATABASE_URL', required: true },
      { name: 'address', value: 'URL', required: true },
    ],
    standalone: true,
    inGroups: 'none',
    async run({ config, options, log }) {
      const { groups } = registryOf(config).registry;
      const address = text(options.address).replace(/\/$/, '');
      const group = { name: text(options.name), database: text(options.database), address };
      const problem = groupProblem(group);
      if (problem !== null) throw invalidInput(problem);
      const [added, ...others] = await visit([group, ...groups], config, async (client) => {
        const { rows } = await client.query<{ id: string }>(DATABASE);
        return rows[0].id;
      });
      if (added.problem !== null) throw invalidInput(`database: ${added.problem}`);
      const same = others.find(({ result }) => result === added.result);
      if (same) throw invalidInput(`database: it is the one of the group ${same.group.name}`);
      await changeRegistry(config, (registry) => {
        if (registry.groups.some(({ name }) => name === group.name))
          throw invalidInput(`name: there is a group ${group.name} already`);
        return { ...registry, groups: [...registry.groups, group] };
      });
      await noteStores(config, log);
      return { name: group.name, address, database: placeOf(group.database) };
    },
  },
  'group remove': {
    summary:
      'Forget a group of stores, which stays as it is. With --yes also one that has stores, or is lost.',
    options: [NAME, { name: 'yes', type: 'boolean' }],
    standalone: true,
    inGroups: 'none',
    async run({ config, options, log }) {
      const group = groupNamed(registryOf(config).registry, text(options.name));
      const [{ result, problem }] = await loadOf([group], config);
      if (options.yes !== true) {
        if (problem !== null) throw invalidInput(`${problem}. Forget it with --yes`);
        if (result!.stores > 0)
          throw invalidInput(
            `it has ${result!.stores} stores: move them to other groups first, or give --yes`,
          );
      }
      await changeRegistry(config, ({ groups, map }) => ({
        groups: groups.filter(({ name }) => name !== group.name),
        map,
      }));
      await noteStores(config, log);
      return { name: group.name, stores: result?.stores ?? null };
    },
  },
  'group map': {
    summary:
      'Write which group has each store for HAProxy, and tell those that run, by their stats sockets ' +
      '(path or host:port, separated by commas). The places are remembered: what creates, moves or ' +
      'deletes a store does it again.',
    options: [
      { name: 'to', value: 'FILE' },
      { name: 'socket', value: 'S,S' },
    ],
    standalone: true,
    inGroups: 'none',
    async run({ config, options }) {
      const to = optionalText(options.to);
      const sockets = optionalText(options.socket)?.split(',');
      await changeRegistry(config, ({ groups, map }) => {
        const file = to === undefined ? map?.file : path.resolve(to);
        if (file === undefined) throw new UsageError('--to is required: the file of the map');
        return { groups, map: { file, sockets: sockets ?? map?.sockets ?? [] } };
      });
      return writeMap(config);
    },
  },
};
