import type { ExecutionContext } from '@nestjs/common';
import type { Scope } from '../store/principal.js';
import type { Call } from '../store/call.js';
import type { DtoClass } from '../schema/fields.js';

/** Everything there is to say of an operation. The route, the guards' decisions, validation, OpenAPI, the MCP tool, the audit row and the contract tests all come from here. */
export interface OperationSpec {
  /** The path under /v1/ and the MCP tool's name. */
  name: string;
  scope: Scope;
  /** One line for people. */
  summary: string;
  /** At most 200 characters for a model: what it does, when to use it, what it returns. Default: the summary. */
  description?: string;
  input: DtoClass;
  /** What leaves: only its fields do. */
  output: DtoClass;
  /** The data is a page of `output`. */
  list?: boolean;
  /** Removes or irrecoverably changes something, so its input has `confirm`, unless `confirm: false` says the spec wants none. */
  destructive?: boolean;
  confirm?: false;
  /** Calling it twice with the same input changes nothing more than calling it once. Default: reads do. */
  idempotent?: boolean;
  /** Honours `If-Match`: the handler checks the record it locked with `ctx.checkUnchanged`. */
  ifMatch?: true;
  /** `own`: the group keeps the results of an Idempotency-Key itself. */
  idempotencyKey?: 'own';
  /** Not one of the specification's operations (docs/behaviour.md §13). */
  beyond?: true;
  /** Reaches something outside the service (the messenger). */
  openWorld?: boolean;
}

const specs = new WeakMap<object, OperationSpec>();

/** The call that a guard, interceptor or parameter is working for; HTTP, MCP and the dashboard all put it on their request. */
export function callOf(context: ExecutionContext): Call {
  return context.switchToHttp().getRequest<{ call: Call }>().call;
}

export function operationOf(handler: object): OperationSpec | undefined {
  return specs.get(handler);
}

export function describeOperation(handler: object, spec: OperationSpec): void {
  specs.set(handler, spec);
}
