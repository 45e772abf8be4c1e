import { columns } from '../../platform/database/columns.js';
import { type RowOf, statement, systemStatement } from '../../platform/database/statement.js';

/**
 * For the system role, because a store's own session cannot see people's addresses. In the order in which
 * they joined.
 */
export const LIST = systemStatement(
  'list_members',
  `select ${columns(['email'], 'u')}, u.id as "userId", ${columns(['role', 'groups', 'createdAt'], 'm')}
  from store_members m join users u on u.id = m.user_id where m.store_id = $storeId
  order by m.created_at, u.id`,
);

/** The owners of stores, for the system role; at most as many as one change is told to. */
export const LIST_OWNERS = systemStatement(
  'list_owners_of_stores',
  `select u.email, s.name as "storeName"
  from store_members m join users u on u.id = m.user_id join stores s on s.id = m.store_id
  where m.store_id = any($storeIds::uuid[]) and m.role = 'owner' order by m.created_at, u.id limit 100`,
);

export type OwnerRow = RowOf<typeof LIST_OWNERS>;

/** The stores of a person, for the system role. */
export const STORES_OF = systemStatement(
  'list_store_ids_of_user',
  `select store_id as "storeId" from store_members where user_id = $userId`,
);

const INSERT = `
  insert into store_members (store_id, user_id, role, groups, created_at)
  values ($store, $userId, $role, $groups?, $now)`;

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
  `select role, groups from store_members where store_id = $store and user_id = $userId for update`,
);

export const SET_ROLE = statement(
  'set_member_role',
  `update store_members set role = $role, groups = $groups? where store_id = $store and user_id = $userId`,
);

export const REMOVE = statement(
  'remove_member',
  `delete from store_members where store_id = $store and user_id = $userId`,
);
