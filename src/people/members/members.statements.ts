import { columns } from '../../platform/database/columns.js';
import { statement } from '../../platform/database/statement.js';

/**
 * For the system role, because a store's own session cannot see people's addresses. In the order in which
 * they joined.
 */
export const LIST = `
  select ${columns(['email'], 'u')}, u.id as "userId", ${columns(['role', 'createdAt'], 'm')}
  from store_members m join users u on u.id = m.user_id where m.store_id = $1 order by m.created_at, u.id`;

export const JOIN = statement(
  'join_store',
  `insert into store_members (store_id, user_id, role, created_at) values ($1, $2, $3, $4)`,
);

/**
 * Locks the owners, always in the same order, so that the later of two concurrent changes sees the owners
 * that are left.
 */
export const LOCK_OWNERS = statement(
  'lock_owners',
  `select user_id as "userId" from store_members where store_id = $1 and role = 'owner' order by user_id for update`,
);

export const LOCK_MEMBER = statement(
  'lock_member',
  `select role from store_members where store_id = $1 and user_id = $2 for update`,
);

export const SET_ROLE = statement(
  'set_member_role',
  `update store_members set role = $3 where store_id = $1 and user_id = $2`,
);

export const REMOVE = statement(
  'remove_member',
  `delete from store_members where store_id = $1 and user_id = $2`,
);
