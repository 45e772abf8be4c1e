import { declareEndpoint, type Door, type Endpoint } from './endpoint.js';
import { TokenGuard } from './token.guard.js';

type Stated = 'scope' | 'summary' | 'description' | 'input' | 'output' | 'list' | 'ifMatch' | 'idempotencyKey';

/**
 * Everything there is to say of an operation. The endpoint, the MCP tool and the contract tests all come from here. The scope also
 * says what counts for budget and audit: a read is counted as one and not audited, all else is a write, and honours Idempotency-Key. `description`
 * has at most 200 characters for a model: what it does, when to use it, what it returns; default is the summary.
 */
export interface OperationSpec extends Pick<Endpoint, Stated> {
  /** The path under /v1/ and the MCP tool's name. */
  name: string;
  /** Removes or irrecoverably changes something, so its input has `confirm`, unless `confirm: false` says the spec wants none. */
  destructive?: boolean;
  confirm?: false;
  /** A change that only adds: it overwrites and removes nothing. */
  additive?: true;
  /** Calling it twice with the same input changes nothing more than calling it once. Default: reads do. */
  idempotent?: boolean;
  /** Not one of the specification's operations (docs/behaviour.md §13). */
  beyond?: true;
  /** Reaches something outside the service (the messenger). */
  openWorld?: boolean;
}

/** An operation as an endpoint. */
export type OperationEndpoint = Endpoint & OperationSpec;

export const OPERATIONS: Door = { name: 'operations', prefix: 'v1', guard: TokenGuard };

/** Declares one operation on a method `(ctx: StoreContext, input: InputDto)` of a controller at `v1`. */
export function Operation(spec: OperationSpec): MethodDecorator {
  const isRead = spec.scope === 'read';
  const endpoint: OperationEndpoint = {
    idempotencyKey: isRead ? undefined : 'kept',
    ...spec,
    door: OPERATIONS,
    method: 'POST',
    path: spec.name,
    budget: isRead ? 'read' : 'write',
    audited: isRead ? undefined : spec.name,
  };
  return declareEndpoint(endpoint);
}

export const isOperation = (endpoint: Endpoint): endpoint is OperationEndpoint => endpoint.door === OPERATIONS;
