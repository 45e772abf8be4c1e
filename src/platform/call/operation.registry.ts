import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, ExternalContextCreator, MetadataScanner } from '@nestjs/core';
import { OperationError } from '../errors.js';
import { BudgetKeeper } from '../rate-limit/budget-keeper.js';
import { fields } from '../schema/fields.js';
import type { Call } from '../store/call.js';
import { type CallRequest, endpointOf } from './endpoint.js';
import { isOperation, type OperationEndpoint } from './operation.decorator.js';

type Invoke = (request: CallRequest) => Promise<string>;
type Methods = Record<string, (...args: unknown[]) => unknown>;

/** Nest's own names for what a method may carry that CallInterceptor would never run. */
const UNHEARD = { __pipes__: 'a pipe', __interceptors__: 'an interceptor' };
const PARAMETERS = '__routeArguments__';

interface Entry {
  operation: OperationEndpoint;
  group: string;
  invoke: Invoke;
}

/** All operations, found by their decorator. Doors other than /v1 call them through `invoke`. */
@Injectable()
export class OperationRegistry implements OnModuleInit {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly contexts: ExternalContextCreator,
    private readonly budgets: BudgetKeeper,
  ) {}

  /**
   * @throws Error on two operations of one name, a destructive one without `confirm`, or an endpoint with a pipe, an interceptor or
   * a parameter decorator of its own
   */
  onModuleInit(): void {
    for (const { instance, metatype, host } of this.discovery.getControllers()) {
      if (!instance || !host) continue;
      const methods = instance as Methods;
      for (const method of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance))) {
        const endpoint = endpointOf(methods[method]);
        if (!endpoint) continue;
        refuseUnheard(metatype as object, methods[method], method);
        if (isOperation(endpoint)) this.add(endpoint, groupName(host.name), methods, method, this.contextsOf(host.token));
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
   * Runs an operation through the very guard and interceptor of its HTTP route.
   * @returns the success envelope as JSON text
   * @throws OperationError, or whatever the handler threw
   */
  invoke(operation: OperationEndpoint, call: Call): Promise<string> {
    return this.entries.get(operation.name)!.invoke({ call });
  }

  /** For a name that is no operation: it counts as a read, and is answered before the budget is (docs/behaviour.md §1.4). @throws OperationError unknown_tool */
  async refuseUnknown(call: Call, message: string): Promise<never> {
    await this.budgets.count(call);
    throw new OperationError('unknown_tool', message);
  }

  /** Nest looks for a handler's module among providers only, and skips guards and interceptors of handlers it finds in none. */
  private contextsOf(moduleKey: string): ExternalContextCreator {
    return Object.create(this.contexts, { getContextModuleKey: { value: () => moduleKey } }) as ExternalContextCreator;
  }

  private add(
    operation: OperationEndpoint,
    group: string,
    methods: Methods,
    method: string,
    contexts: ExternalContextCreator,
  ): void {
    const { name, input, destructive, confirm } = operation;
    if (this.entries.has(name)) throw new Error(`operation ${name} is declared twice`);
    const confirms = fields(input).some((field) => field.name === 'confirm' && !field.optional);
    if (destructive && confirm !== false && !confirms) {
      throw new Error(`operation ${name} is destructive and its input has no confirm`);
    }
    const checks = { guards: true, interceptors: true, filters: false };
    const callback = methods[method];
    const invoke = contexts.create(methods, callback, method, undefined, undefined, undefined, undefined, checks) as Invoke;
    this.entries.set(name, { operation, group, invoke });
  }
}

/** `PaymentProvidersModule` is the group payment-providers. */
/** The group that a module's class is named after: PaymentProvidersModule is payment-providers. */
export const groupName = (module: string) =>
  module
    .replace(/Module$/, '')
    .replace(/\B[A-Z]/g, '-$&')
    .toLowerCase();

/** CallInterceptor calls the method itself, so Nest would run none of these. */
function refuseUnheard(controller: object, handler: object, method: string): void {
  const refuse = (what: string) => {
    throw new Error(`${method} is an endpoint and has ${what} of its own, which would never run`);
  };
  for (const [key, what] of Object.entries(UNHEARD)) {
    if (Reflect.hasMetadata(key, handler) || Reflect.hasMetadata(key, controller)) refuse(what);
  }
  if (Reflect.hasMetadata(PARAMETERS, controller, method)) refuse('a parameter decorator');
}
