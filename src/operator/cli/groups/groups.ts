import type pg from 'pg';
import type { Config } from '../../../platform/config/config.js';
import { existingRoles } from '../../../platform/database/installation/existing.js';
import { refuseUnreachable } from '../../../platform/database/installation/installation.js';
import { type RowOf, systemStatement } from '../../../platform/database/statement.js';
import { runOn } from '../../../platform/database/system.js';
import { WAS_MOVED_AWAY } from '../../../platform/database/was-moved-away.js';
import { placeOf } from '../../backup/moving/copy-store.js';
import { plainClient } from '../../backup/snapshot.js';
import type { Group } from './registry.js';

/** What a group answered, or why it did not. */
export interface Visit<Result> {
  group: Group;
  result: Result | null;
  problem: string | null;
}

/** The configuration of a command in a group. */
export const configIn = (config: Config, { database, address }: Group): Config => ({
  ...config,
  databaseUrl: database,
  databaseDirectUrl: null,
  databaseReplicaUrl: null,
  baseUrl: address,
});

/**
 * Asks all groups at once. One that does not answer keeps none of the others from answering.
 * @param ask by a connection of the role that sees every store
 */
export function visit<Result>(
  groups: Group[],
  { encryptionKeys }: Pick<Config, 'encryptionKeys'>,
  ask: (client: pg.Client, group: Group) => Promise<Result>,
): Promise<Visit<Result>[]> {
  return Promise.all(
    groups.map(async (group) => {
      try {
        await refuseUnreachable(`group ${group.name}`, group.database);
        const { system } = await existingRoles(group.database, encryptionKeys!, null);
        const client = plainClient(system);
        try {
          await client.connect();
          return { group, result: await ask(client, group), problem: null };
        } finally {
          await client.end().catch(() => undefined);
        }
      } catch (error) {
        return { group, result: null, problem: (error as Error).message };
      }
    }),
  );
}

/** `hasLeft`: it was moved away. */
const STORES = systemStatement(
  'group_stores',
  `select s.id, s.moved_to as "movedTo", ${WAS_MOVED_AWAY} as "hasLeft!"
   from stores s where $id?::text is null or s.id::text = $id`,
);

/** A row of a store, which is in two groups while and after it is moved. */
export type StoreRow = RowOf<typeof STORES>;

/** Whether calls of the store are for this group. */
export const isAtHome = ({ movedTo, hasLeft }: StoreRow, group: Group) =>
  !hasLeft && movedTo !== placeOf(group.database);

/** @param id null: all stores */
export const storesAt = (client: pg.Client, id: string | null): Promise<StoreRow[]> =>
  runOn(client, STORES, { id });
