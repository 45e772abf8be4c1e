import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, ExternalContextCreator, MetadataScanner } from '@nestjs/core';
import type { Call } from '../store/call.js';
import { fields } from '../schema/fields.js';
import { type OperationSpec, operationOf } from './operation.metadata.js';
import { OperationError } from '../errors.js';

type Invoke = (request: { call: Call }) => Promise<string>;

interface Entry {
  spec: OperationSpec;
  group: string;
  invoke: Invoke;
}

/** All operations, found by their decorator. Transports other than HTTP call them through `invoke`. */
@Injectable()
export class OperationRegistry implements OnModuleInit {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly contexts: ExternalContextCreator,
  ) {}

  /** @throws Error on two operations of one name, or a destructive one without `confirm` */
  onModuleInit(): void {
    for (const { instance, host } of this.discovery.getControllers()) {
      if (!instance || !host) continue;
      for (const method of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance))) {
        const spec = operationOf((instance as Record<string, object>)[method]);
        if (spec) this.add(spec, groupName(host.name), instance as object, method, this.contextsOf(host.token));
      }
    }
  }

  /** By name, in alphabetical order. */
  list(): OperationSpec[] {
    return [...this.entries.values()].map(({ spec }) => spec).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The groups that have operations: `orders`, `payment-providers`; in alphabetical order. */
  groups(): string[] {
    return [...new Set([...this.entries.values()].map(({ group }) => group))].sort();
  }

  /** @param name of an operation there is */
  groupOf(name: string): string {
    return this.entries.get(name)!.group;
  }

  find(name: string): OperationSpec | undefined {
    return this.entries.get(name)?.spec;
  }

  /**
   * Runs an operation through the very guards, validation and interceptor of its HTTP route.
   * @returns the success envelope as JSON text
   * @throws OperationError, or whatever the handler threw
   */
  invoke(name: string, call: Call): Promise<string> {
    const entry = this.entries.get(name);
    if (!entry) throw new OperationError('unknown_tool', `There is no operation ${name.slice(0, 100)}`);
    return entry.invoke({ call });
  }

  /** Nest looks for a handler's module among providers only, and skips guards and interceptors of handlers it finds in none. */
  private contextsOf(moduleKey: string): ExternalContextCreator {
    return Object.create(this.contexts, { getContextModuleKey: { value: () => moduleKey } }) as ExternalContextCreator;
  }

  private add(spec: OperationSpec, group: string, instance: object, method: string, contexts: ExternalContextCreator): void {
    if (this.entries.has(spec.name)) throw new Error(`operation ${spec.name} is declared twice`);
    const confirms = fields(spec.input).some(({ name, optional }) => name === 'confirm' && !optional);
    if (spec.destructive && spec.confirm !== false && !confirms) {
      throw new Error(`operation ${spec.name} is destructive and its input has no confirm`);
    }
    const callback = (instance as Record<string, (...args: unknown[]) => unknown>)[method];
    const checks = { guards: true, interceptors: true, filters: false };
    const invoke = contexts.create(instance, callback, method, undefined, undefined, undefined, undefined, checks) as Invoke;
    this.entries.set(spec.name, { spec, group, invoke });
  }
}

/** `PaymentProvidersModule` is the group payment-providers. */
const groupName = (module: string) =>
  module
    .replace(/Module$/, '')
    .replace(/\B[A-Z]/g, '-$&')
    .toLowerCase();
