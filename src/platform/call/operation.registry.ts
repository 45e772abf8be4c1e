import { Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { GROUPS, includesPlace, mayCall } from '../../access/rights.js';
import { forbidden, invalidInput, OperationError } from '../errors.js';
import { BudgetGuard } from '../rate-limit/budget.guard.js';
import { fields } from '../schema/field-spec.js';
import type { Call, Principal } from '../store/call.js';
import type { RequiredRights } from '../../access/rights.js';
import type { StoreContext } from '../store/store-context.js';
import { CallInterceptor, type WithinOptions } from './call.interceptor.js';
import { type CallRequest, endpointOf, isOperation, type OperationEndpoint } from './endpoint.js';

type Methods = Record<string, (...args: unknown[]) => unknown>;

/** Nest's metadata keys for what CallInterceptor would not run. */
const IGNORED = { __pipes__: 'a pipe', __interceptors__: 'an interceptor' };
/** Each endpoint has exactly two guards, its door's and ScopeGuard. */
const GUARDS = '__guards__';
const PARAMETERS = '__routeArguments__';

interface Entry {
  operation: OperationEndpoint;
  group: string;
  method: object;
  controller: Type;
}

/** All operations, found by their decorator. Doors other than /v1 call them with `invoke`. */
@Injectable()
export class OperationRegistry implements OnModuleInit {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly interceptor: CallInterceptor,
    private readonly budgets: BudgetGuard,
  ) {}

  /**
   * @throws Error for two operations of the same name, a destructive operation without `confirm`, an
   * operation of an unknown group, or an endpoint whose `before` is missing, or with its own pipe,
   * interceptor, guard or parameter decorator
   */
  onModuleInit(): void {
    for (const { instance, metatype, host } of this.discovery.getControllers()) {
      if (!instance || !host) continue;
      const methods = instance as Methods;
      for (const method of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance))) {
        const endpoint = endpointOf(methods[method]);
        if (!endpoint) continue;
        refuseIgnored(metatype as object, methods[method], method);
        const { before } = endpoint;
        if (before !== undefined && typeof methods[before] !== 'function')
          throw new Error(`${method} is an endpoint and has no method ${before} to run before it`);
        if (isOperation(endpoint))
          this.add(endpoint, groupName(host.name), methods[method], metatype as Type);
      }
    }
  }

  /** All operations in alphabetical order. */
  list(): OperationEndpoint[] {
    return [...this.entries.values()]
      .map(({ operation }) => operation)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The groups that have operations, such as `orders` or `payment-providers`, in alphabetical order. */
  groups(): string[] {
    return [...new Set([...this.entries.values()].map(({ group }) => group))].sort();
  }

  /** @param name of an existing operation */
  groupOf(name: string): string {
    return this.entries.get(name)!.group;
  }

  /**
   * Checks to what somebody is to be narrowed (docs/behaviour.md §2.4).
   * @returns the names, each once; null stays null
   * @throws OperationError invalid_input for a name that is neither a group nor an operation
   */
  knownGroups(names: readonly string[] | null): string[] | null {
    return names && checkedGroups(names, this.groups(), (name) => this.entries.has(name));
  }

  /** The groups and names that the caller may call, also an app of somebody who is narrowed; null is all. */
  groupsOf({ groups = null, consent }: Principal): string[] | null {
    const ceiling = consent?.groups ?? null;
    if (groups === null || ceiling === null) return (groups ?? ceiling) as string[] | null;
    return groups.flatMap((given) => {
      const entry = this.entries.get(given);
      if (entry) return includesPlace(ceiling, { name: given, groups: [entry.group] }) ? given : [];
      if (ceiling.includes(given)) return given;
      return ceiling.filter((name) => this.entries.get(name)?.group === given);
    });
  }

  /** @param name of an existing operation */
  neededFor(name: string): RequiredRights {
    const { operation, group } = this.entries.get(name)!;
    return { name, scope: operation.scope, groups: [group] };
  }

  find(name: string): OperationEndpoint | undefined {
    return this.entries.get(name)?.operation;
  }

  /**
   * Runs an operation as its HTTP route does, but without its door's guard, since the caller's own door has
   * identified the caller.
   * @param call must have its principal
   * @param admit runs in the store before the handler, once the input is valid
   * @returns the success envelope as JSON text
   * @throws OperationError, or whatever the handler threw
   */
  invoke(operation: OperationEndpoint, call: Call, admit?: CallRequest['admit']): Promise<string> {
    const { method, controller } = this.entries.get(operation.name)!;
    return this.interceptor.answer(method, controller, { call, admit }) as Promise<string>;
  }

  /**
   * An address that leaves out an operation does not do it by way of another one either (docs/behaviour.md
   * §8).
   * @throws OperationError forbidden
   */
  requireOffered({ call }: StoreContext, name: string): void {
    if (call?.auth.isAvailable && !call.auth.isAvailable(this.find(name)!))
      throw forbidden(`${name} is left out by the address that was called (?tools= or ?readonly=)`);
  }

  /** What somebody did earlier is shown again by what they may do now. @throws OperationError forbidden */
  requireAllowed(ctx: StoreContext, name: string): void {
    if (!mayCall(ctx.call!.auth.principal!, this.neededFor(name)))
      throw forbidden(`${name} is beyond what this caller may do now`);
    this.requireOffered(ctx, name);
  }

  /** Runs an operation inside the call of another one; see `CallInterceptor.within`. */
  within(
    ctx: StoreContext,
    operation: OperationEndpoint,
    given: object,
    options?: WithinOptions,
  ): Promise<string> {
    if (!options?.isAdmitted) this.requireOffered(ctx, operation.name);
    const { method, controller } = this.entries.get(operation.name)!;
    return this.interceptor.within(ctx, [method, controller], given, options);
  }

  /**
   * Refuses a name that is not an operation. The call counts as a read, but the refusal comes before that of
   * the budget (docs/behaviour.md §1.4).
   * @throws OperationError unknown_tool
   */
  async refuseUnknown(call: Call, message: string): Promise<never> {
    await this.budgets.count(call);
    throw new OperationError('unknown_tool', message);
  }

  private add(operation: OperationEndpoint, group: string, method: object, controller: Type): void {
    const { name, input, destructive, confirm } = operation;
    if (this.entries.has(name)) throw new Error(`operation ${name} is declared twice`);
    const confirms = fields(input).some((field) => field.name === 'confirm' && !field.optional);
    if (destructive && confirm !== false && !confirms) {
      throw new Error(`operation ${name} is destructive and its input has no confirm`);
    }
    if (!Object.hasOwn(GROUPS, group)) throw new Error(`operation ${name}: src/access has no group ${group}`);
    // Interceptor and documents read it from the declaration.
    operation.groups = [group];
    this.entries.set(name, { operation, group, method, controller });
  }
}

/** @throws OperationError invalid_input for an empty list, and for an unknown name, naming the groups */
export function checkedGroups(
  names: readonly string[],
  groups: readonly string[],
  isOperation: (name: string) => boolean,
): string[] {
  if (names.length === 0)
    throw invalidInput('groups must name at least one group or operation').about('one_group', {
      path: 'groups',
    });
  const unknown = names.find((name) => !groups.includes(name) && !isOperation(name));
  if (unknown !== undefined) {
    throw invalidInput(
      `groups: ${unknown.slice(0, 100)} is neither a group nor an operation; the groups are ` +
        groups.join(', '),
    );
  }
  return [...new Set(names)];
}

/** The group of a module's class: that of PaymentProvidersModule is payment-providers. */
export const groupName = (module: string) =>
  module
    .replace(/Module$/, '')
    .replace(/\B[A-Z]/g, '-$&')
    .toLowerCase();

/**
 * Nest would not run these: CallInterceptor calls the method directly, and some doors call operations without
 * their routes.
 */
function refuseIgnored(controller: object, handler: object, method: string): void {
  const refuse = (what: string) => {
    throw new Error(`${method} is an endpoint and has ${what} of its own, which would not run`);
  };
  for (const [key, what] of Object.entries(IGNORED)) {
    if (Reflect.hasMetadata(key, handler) || Reflect.hasMetadata(key, controller)) refuse(what);
  }
  const guards = Reflect.getMetadata(GUARDS, handler) as unknown[];
  if (guards.length > 2 || Reflect.hasMetadata(GUARDS, controller)) refuse('a guard');
  if (Reflect.hasMetadata(PARAMETERS, controller, method)) refuse('a parameter decorator');
}
