import { columns } from '../../platform/database/columns.js';
import { statement, systemStatement } from '../../platform/database/statement.js';

/**
 * For the system role, because a store's own session cannot see people's addresses. In the order in which
 * they joined.
 */
export const LIST = systemStatement(
  'list_members',
  `select ${columns(['email'], 'u')}, u.id as "userId", ${columns(['role', 'createdAt'], 'm')}
  from store_members m join users u on u.id = m.user_id where m.store_id = $storeId
  order by m.created_at, u.id`,
);

const INSERT = `
  insert into store_members (store_id, user_id, role, created_at) values ($store, $userId, $role, $now)`;

export const JOIN = statement('join_store', INSERT);
/** For the system role, which creates stores. */
export const ADD_OWNER = systemStatement('add_owner', INSERT);

/**
 * Locks the owners, always in the same order, so that the later of two concurrent changes sees the owners
 * that are left.
 */
export const LOCK_OWNERS = statement(
  'lock_owners',
  `select user_id as "userId" from store_members where store_id = $store and role = 'owner'
   order by user_id for update`,
);

export const LOCK_MEMBER = statement(
  'lock_member',
  `select role from store_members where store_id = $store and user_id = $userId for update`,
);

export const SET_ROLE = statement(
  'set_member_role',
  `update store_members set role = $role where store_id = $store and user_id = $userId`,
);

export const REMOVE = statement(
  'remove_member',
  `delete from store_members where store_id = $store and user_id = $userId`,
);
