import { columns } from '../../platform/database/columns.js';
import { statement, systemStatement } from '../../platform/database/statement.js';

const NAMES = ['id', 'email', 'role', 'groups', 'createdAt', 'expiresAt'] as const;
const COLUMNS = columns(NAMES, 'i');
const OPEN = 'redeemed_at is null and withdrawn_at is null';

/**
 * Deletes the invitations that expired before `$oldest`, and counts those that are open for addresses other
 * than that of `$emailKey`.
 */
export const COUNT_OPEN = statement(
  'count_open_invitations',
  `with cleared as (delete from invitations where store_id = $store and expires_at <= $oldest)
   select count(*)::int as "open!" from invitations
   where store_id = $store and email_key <> $emailKey and expires_at > $now and ${OPEN}`,
);

export const WITHDRAW_ADDRESS = statement(
  'withdraw_invitations_of_address',
  `update invitations set withdrawn_at = $now where store_id = $store and email_key = $emailKey and ${OPEN}`,
);

const INSERT_INVITATION = `
  insert into invitations as i (store_id, id, email, email_key, role, groups, token_hash, mailed_hash,
    invited_by, created_at, expires_at)
  values ($store, $id, $email, $emailKey, $role, $groups?, $tokenHash, $mailedHash?, $invitedBy,
    $now, $expiresAt)
  returning ${COLUMNS}`;

export const INSERT = statement('insert_invitation', INSERT_INVITATION);
/** For the system role, which creates stores. */
export const INVITE_OWNER = systemStatement('invite_owner', INSERT_INVITATION);

export const LIST = statement(
  'list_invitations',
  `select ${COLUMNS} from invitations i where store_id = $store and ${OPEN} order by id desc`,
);

export const WITHDRAW = statement(
  'withdraw_invitation',
  `update invitations i set withdrawn_at = $now where store_id = $store and id = $id and ${OPEN}
   returning ${COLUMNS}`,
);

/** Withdraws the invitations of somebody who may no longer invite members. */
export const WITHDRAW_OF_INVITER = statement(
  'withdraw_invitations_of_inviter',
  `update invitations set withdrawn_at = $now
   where store_id = $store and invited_by = $userId::text and ${OPEN}`,
);

export const REDEEM = statement(
  'redeem_invitation',
  `update invitations set redeemed_at = $now
   where store_id = $store and id = $id and ${OPEN} and expires_at > $now returning id`,
);

/**
 * For the system role, because a link does not name its store. `isMailed` says whether it is the link as it
 * was sent by e-mail, `$mailedHash`.
 */
export const FIND = systemStatement(
  'find_invitation',
  `select ${columns([...NAMES, 'redeemedAt', 'withdrawnAt'], 'i')},
    coalesce(i.mailed_hash = $mailedHash?, false) as "isMailed!",
    s.id as "storeId", s.name as "storeName", s.currency
  from invitations i join stores s on s.id = i.store_id where i.token_hash = $tokenHash`,
);

export const STORE_NAME = statement('store_name_for_invitation', `select name from stores where id = $store`);
