import { columns } from '../../platform/database/columns.js';
import { statement } from '../../platform/database/statement.js';

const NAMES = ['id', 'email', 'role', 'createdAt', 'expiresAt'] as const;
const COLUMNS = columns(NAMES, 'i');
const OPEN = 'redeemed_at is null and withdrawn_at is null';

/**
 * Deletes the invitations that expired before $4, and counts those that are open at $3 for addresses other
 * than $2.
 */
export const COUNT_OPEN = statement(
  'count_open_invitations',
  `with cleared as (delete from invitations where store_id = $1 and expires_at <= $4)
   select count(*)::int as open from invitations where store_id = $1 and email <> $2 and expires_at > $3 and ${OPEN}`,
);

export const WITHDRAW_ADDRESS = statement(
  'withdraw_invitations_of_address',
  `update invitations set withdrawn_at = $3 where store_id = $1 and email = $2 and ${OPEN}`,
);

export const INSERT = statement(
  'insert_invitation',
  `insert into invitations as i (store_id, id, email, role, token_hash, invited_by, created_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${COLUMNS}`,
);

export const LIST = statement(
  'list_invitations',
  `select ${COLUMNS} from invitations i where store_id = $1 and ${OPEN} order by id desc`,
);

export const WITHDRAW = statement(
  'withdraw_invitation',
  `update invitations i set withdrawn_at = $3 where store_id = $1 and id = $2 and ${OPEN} returning ${COLUMNS}`,
);

/** Withdraws the invitations of somebody who may no longer invite members. */
export const WITHDRAW_OF_INVITER = statement(
  'withdraw_invitations_of_inviter',
  `update invitations set withdrawn_at = $3 where store_id = $1 and invited_by = $2::text and ${OPEN}`,
);

export const REDEEM = statement(
  'redeem_invitation',
  `update invitations set redeemed_at = $3 where store_id = $1 and id = $2 and ${OPEN} and expires_at > $3 returning 1`,
);

/** For the system role, because a link does not name its store. */
export const FIND = `
  select ${columns([...NAMES, 'redeemedAt', 'withdrawnAt'], 'i')}, s.id as "storeId", s.name as "storeName", s.currency
  from invitations i join stores s on s.id = i.store_id where i.token_hash = $1`;

export const STORE_NAME = statement('store_name_for_invitation', 'select name from stores where id = $1');
