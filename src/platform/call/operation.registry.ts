import { Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { OperationError } from '../errors.js';
import { BudgetKeeper } from '../rate-limit/budget-keeper.js';
import { fields } from '../schema/fields.js';
import type { Call } from '../store/call.js';
import { CallInterceptor } from './call.interceptor.js';
import { endpointOf } from './endpoint.js';
import { isOperation, type OperationEndpoint } from './operation.decorator.js';

type Methods = Record<string, (...args: unknown[]) => unknown>;

/** Nest's own names for what a method may carry that CallInterceptor would not run. */
const UNHEARD = { __pipes__: 'a pipe', __interceptors__: 'an interceptor' };
/** Each endpoint has one, its door's. */
const GUARDS = '__guards__';
const PARAMETERS = '__routeArguments__';

interface Entry {
  operation: OperationEndpoint;
  group: string;
  method: object;
  controller: Type;
}

/** All operations, found by their decorator. Doors other than /v1 call them through `invoke`. */
@Injectable()
export class OperationRegistry implements OnModuleInit {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly interceptor: CallInterceptor,
    private readonly budgets: BudgetKeeper,
  ) {}

  /**
   * @throws Error on two operations of one name, a destructive one without `confirm`, or an endpoint with a pipe, an interceptor,
   * a guard or a parameter decorator of its own
   */
  onModuleInit(): void {
    for (const { instance, metatype, host } of this.discovery.getControllers()) {
      if (!instance || !host) continue;
      const methods = instance as Methods;
      for (const method of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance))) {
        const endpoint = endpointOf(methods[method]);
        if (!endpoint) continue;
        refuseUnheard(metatype as object, methods[method], method);
        if (isOperation(endpoint)) this.add(endpoint, groupName(host.name), methods[method], metatype as Type);
      }
    }
  }

  /** By name, in alphabetical order. */
  list(): OperationEndpoint[] {
    return [...this.entries.values()].map(({ operation }) => operation).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The groups that have operations: `orders`, `payment-providers`; in alphabetical order. */
  groups(): string[] {
    return [...new Set([...this.entries.values()].map(({ group }) => group))].sort();
  }

  /** @param name of an operation there is */
  groupOf(name: string): string {
    return this.entries.get(name)!.group;
  }

  find(name: string): OperationEndpoint | undefined {
    return this.entries.get(name)?.operation;
  }

  /**
   * Runs an operation as its HTTP route does, behind the guard: the caller's own door has found out who calls.
   * @param call has its principal
   * @returns the success envelope as JSON text
   * @throws OperationError, or whatever the handler threw
   */
  invoke(operation: OperationEndpoint, call: Call): Promise<string> {
    const { method, controller } = this.entries.get(operation.name)!;
    return this.interceptor.answer(method, controller, { call }) as Promise<string>;
  }

  /** For a name that is no operation: it counts as a read, and is answered before the budget is (docs/behaviour.md §1.4). @throws OperationError unknown_tool */
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
    this.entries.set(name, { operation, group, method, controller });
  }
}

/** The group that a module's class is named after: PaymentProvidersModule is payment-providers. */
export const groupName = (module: string) =>
  module
    .replace(/Module$/, '')
    .replace(/\B[A-Z]/g, '-$&')
    .toLowerCase();

/** CallInterceptor calls the method itself, and doors call operations without their routes, so Nest would not run these. */
function refuseUnheard(controller: object, handler: object, method: string): void {
  const refuse = (what: string) => {
    throw new Error(`${method} is an endpoint and has ${what} of its own, which would not run`);
  };
  for (const [key, what] of Object.entries(UNHEARD)) {
    if (Reflect.hasMetadata(key, handler) || Reflect.hasMetadata(key, controller)) refuse(what);
  }
  const guards = Reflect.getMetadata(GUARDS, handler) as unknown[];
  if (guards.length > 1 || Reflect.hasMetadata(GUARDS, controller)) refuse('a guard');
  if (Reflect.hasMetadata(PARAMETERS, controller, method)) refuse('a parameter decorator');
}
