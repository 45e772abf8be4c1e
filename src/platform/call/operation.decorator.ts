import { declareEndpoint, type Door, type Endpoint } from './endpoint.js';
import type { Question } from '../store/question.js';
import { TokenGuard } from './token.guard.js';

type Stated =
  | 'scope'
  | 'summary'
  | 'description'
  | 'input'
  | 'output'
  | 'list'
  | 'ifMatch'
  | 'mayBeOutdated'
  | 'idempotencyKey'
  | 'relays';

/**
 * The declaration of an operation. The endpoint, the MCP tool and the contract tests all follow from it. So
 * do budget and audit: an operation of scope read counts as a read and is not audited; any other counts as a
 * write, is audited and supports Idempotency-Key. `description` tells a model in at most 200 characters what
 * the operation does, when to use it and what it returns; the default is the summary.
 */
export interface OperationSpec extends Pick<Endpoint, Stated> {
  /** The path under /v1/ and the MCP tool's name. */
  name: string;
  /**
   * Removes or irrecoverably changes something. Its input has `confirm`, unless `confirm: false` states that
   * the spec requires none.
   */
  destructive?: boolean;
  confirm?: false;
  /** Only adds: nothing is overwritten or removed. */
  additive?: true;
  /** A second call with the same input changes nothing further. Default: true for reads. */
  idempotent?: boolean;
  /** Not one of the specification's operations (docs/behaviour.md §13). */
  beyond?: true;
  /**
   * How preview_change tries it, if not by running it and taking all back: `own`, it previews itself without
   * `confirm`; `none`, it cannot be tried.
   */
  preview?: 'own' | 'none';
  /** Reaches something outside the service (the messenger). */
  openWorld?: boolean;
  /**
   * What a person is asked before it runs, if their agent can ask (docs/behaviour.md §8). `as previewed`:
   * what they are asked before the operation that was previewed. `as undone`: before those that undo the
   * change.
   */
  asks?: Question | 'as previewed' | 'as undone';
}

/** An operation as an endpoint. */
export type OperationEndpoint = Endpoint & OperationSpec;

export const OPERATIONS: Door = { name: 'operations', prefix: 'v1', guard: TokenGuard };

/** The names of the operations whose controllers have been loaded, for a command, which has no registry. */
export const DECLARED = new Set<string>();

/** Declares one operation on a method `(ctx: StoreContext, input: InputDto)` of a controller at `v1`. */
export function Operation(spec: OperationSpec): MethodDecorator {
  DECLARED.add(spec.name);
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

export const isOperation = (endpoint: Endpoint): endpoint is OperationEndpoint =>
  endpoint.door === OPERATIONS;
