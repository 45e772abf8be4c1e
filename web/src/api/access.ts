import type { OperationName } from './client';
import { SCOPES } from './generated/operations';

/** Whether a person of this role may run an operation: staff have no operation of scope admin. */
export const mayRun = (role: string, operation: OperationName) => role === 'owner' || SCOPES[operation] !== 'admin';
