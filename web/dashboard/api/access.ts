import type { OperationName } from './client';
import { ALLOWED, type GROUPS, INCLUDED } from './generated/access';
import { GROUP_OF, SCOPES } from './generated/operations';
import type { Store } from './store';

export type GroupName = (typeof GROUPS)[number];
export type ScopeName = keyof typeof INCLUDED;
/** From the narrowest to the widest. */
export const SCOPE_NAMES = Object.keys(INCLUDED) as ScopeName[];

/** Whether a person with this role may do what needs the scope; with an unknown role nothing. */
export const may = (role: string, scope: ScopeName = 'read'): boolean =>
  Object.entries(ALLOWED).some(([name, scopes]) => name === role && scopes.some((one) => one === scope));

/** Whether a member's groups include one of these; with null they are not narrowed. */
export const isWithin = ({ groups }: Pick<Store, 'groups'>, operations: readonly OperationName[]): boolean =>
  groups === null || operations.some((name) => groups.includes(name) || groups.includes(GROUP_OF[name]));

export const mayRun = (role: string, operation: OperationName) => may(role, SCOPES[operation]);
