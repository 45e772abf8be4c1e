import type { OperationSpec } from '../../platform/call/endpoint.js';

/** Whether there are calls of a tool that a person is asked about. */
export const mayAsk = ({ asks, scope, preview }: OperationSpec): boolean =>
  asks !== undefined || (scope !== 'read' && preview !== 'none');
