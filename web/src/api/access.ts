import type { OperationName } from './client';
import { SCOPES } from './generated/operations';

/** Whether a person with this role may run an operation. Staff may not run operations of scope admin. */
export const mayRun = (role: string, operation: OperationName) =>
  role === 'owner' || SCOPES[operation] !== 'admin';
