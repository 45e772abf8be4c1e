import pg from 'pg';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import { sealedColumns } from '../../platform/crypto/sealed-columns.js';
import { invalidInput } from '../../platform/errors.js';
import { newId } from '../../platform/ids.js';
import { isUuid } from '../../platform/schema/formats.js';
import { PICTURE_COLUMNS, picturesPath } from '../../stores/pictures/picture-columns.js';
import type { SnapshotHeader } from './snapshot.js';
import { goes } from './tables.js';

export const staged = (table: string) => pg.escapeIdentifier(`restored_${table}`);

/**
 * Makes the staged rows of a store those of a new store, which sends nothing for what it holds. Its members
 * are those that the first store has at present, so that nobody who has left it gets to its data.
 * @returns the id of the new store
 * @throws OperationError invalid_input if the first store is not in this installation
 */
export async function stageAsNew(
  system: pg.Client,
  secrets: SecretBox,
  { tables }: SnapshotHeader,
  storeId: string,
): Promise<string> {
  await mustBeHere(system, storeId);
  const id = newId();
  // Its first period begins today: what came before is owed for the first store.
  const { rowCount } = await system.query(
    `update ${staged('stores')} set id = $2, created_at = now(), updated_at = now() where id = $1`,
    [storeId, id],
  );
  if (!rowCount) throw invalidInput(`from holds no store ${storeId}`);
  for (const { name, columns } of tables) {
    if (!goes(name, 'copy')) await system.query(`truncate ${staged(name)}`);
    else if (columns.includes('store_id'))
      await system.query(`update ${staged(name)} set store_id = $2 where store_id = $1`, [storeId, id]);
  }
  await system.query(`truncate ${staged('store_members')}`);
  await system.query(
    `insert into ${staged('store_members')} (store_id, user_id, role, created_at, groups)
     select $2, user_id, role, created_at, groups from store_members where store_id = $1`,
    [storeId, id],
  );
  // The settings of a store are found in the log by the id of their store.
  await system.query(
    `update ${staged('audit_log')} set target = split_part(target, ':', 1) || ':' || $2::text
     where store_id = $2::uuid and split_part(target, ':', 2) = $1::text`,
    [storeId, id],
  );
  for (const { table, column, type } of PICTURE_COLUMNS)
    await system.query(
      `update ${staged(table)} set ${column} = replace(${column}::text, $1, $2)::${type}
       where ${column}::text like '%' || $1 || '%'`,
      [picturesPath(storeId), picturesPath(id)],
    );
  await endCampaigns(system, id);
  await sealForStore(system, secrets, storeId, id);
  return id;
}

async function mustBeHere(system: pg.Client, storeId: string): Promise<void> {
  const { rowCount } = isUuid(storeId)
    ? await system.query('select from stores where id = $1', [storeId])
    : { rowCount: 0 };
  if (!rowCount)
    throw invalidInput(
      `as-new: the store ${storeId}, beside which the new one would stand, is not in this installation: ` +
        'restore it without --as-new',
    );
}

/** The call that sends a campaign would otherwise find recipients who are still to get it. */
async function endCampaigns(system: pg.Client, storeId: string): Promise<void> {
  await system.query(
    `update ${staged('campaign_recipients')} set reason = case status when 'sending' then 'unknown'
       else 'send_failed' end, status = 'failed'
     where store_id = $1 and status in ('pending', 'sending')`,
    [storeId],
  );
  await system.query(
    `update ${staged('campaigns')} set status = 'finished', finished_at = now(), lease_token = null,
       lease_until = null
     where store_id = $1 and status = 'sending'`,
    [storeId],
  );
}

/** Seals the secrets again that are bound to the id of their store. */
async function sealForStore(
  system: pg.Client,
  secrets: SecretBox,
  from: string,
  storeId: string,
): Promise<void> {
  for (const { table, column, purpose } of sealedColumns()) {
    const [before, after] = [purpose({ store_id: from }), purpose({ store_id: storeId })];
    if (before === after || !goes(table, 'copy')) continue;
    const value = pg.escapeIdentifier(column);
    const { rows } = await system.query<{ sealed: string }>(
      `select distinct ${value} as sealed from ${staged(table)} where store_id = $1 and ${value} is not null`,
      [storeId],
    );
    for (const { sealed } of rows)
      await system.query(`update ${staged(table)} set ${value} = $1 where ${value} = $2 and store_id = $3`, [
        secrets.seal(secrets.openBytes(sealed, before), after),
        sealed,
        storeId,
      ]);
  }
}
