import type { OperationName } from './client';
import { ALLOWED, INCLUDED } from './generated/access';
import { SCOPES } from './generated/operations';

export type ScopeName = keyof typeof INCLUDED;
/** From the narrowest to the widest. */
export const SCOPE_NAMES = Object.keys(INCLUDED) as ScopeName[];

/** Whether a person with this role may do what needs the scope; with an unknown role nothing. */
export const may = (role: string, scope: ScopeName = 'read'): boolean =>
  Object.entries(ALLOWED).some(([name, scopes]) => name === role && scopes.some((one) => one === scope));

export const mayRun = (role: string, operation: OperationName) => may(role, SCOPES[operation]);
