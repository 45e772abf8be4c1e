import 'reflect-metadata';
import type { FactoryProvider, ValueProvider } from '@nestjs/common';
import { PARAMTYPES_METADATA, SELF_DECLARED_DEPS_METADATA } from '@nestjs/common/constants.js';
import { DataSource, getMetadataArgsStorage } from 'typeorm';
import { IdleConnections } from '../../platform/database/connections/idle-connections.js';
import { Listener } from '../../platform/database/connections/listener.js';
import { ReadConnections } from '../../platform/database/connections/read-connections.js';
import { Replica } from '../../platform/database/connections/replica.js';
import { SignInDatabase, SystemDatabase } from '../../platform/database/system.js';
import { foundations, storeSource } from '../../platform/foundations.js';
import type { Runtime } from '../../start/runtime.js';
import { RENEW_EPOCH } from '../../webhooks/events/event-upkeep.statements.js';
import { Doorbell } from '../../webhooks/doorbell/doorbell.js';
import { PostgresDoorbell } from '../../webhooks/doorbell/postgres-doorbell.js';

/** Gives a command the application's services. Nest's application context also has this interface. */
export interface Services {
  get<Service>(type: abstract new (...args: never[]) => Service): Service;
  get(token: symbol): unknown;
}

type ServiceClass = new (...parts: unknown[]) => unknown;

/**
 * Creates the services that a command needs, and their dependencies, each once. It reads the same metadata of
 * the classes as Nest, but not the modules, which import the whole application and take seconds to load.
 * Lifecycle hooks are not called, because the process ends with the command.
 */
class CommandServices implements Services {
  private readonly made = new Map<unknown, unknown>();

  constructor(private readonly providers: ReadonlyMap<unknown, ValueProvider | FactoryProvider>) {}

  get<Service>(type: unknown): Service {
    if (!this.made.has(type)) this.made.set(type, this.make(type));
    return this.made.get(type) as Service;
  }

  /** The service, if it has been created. */
  find<Service>(type: abstract new (...args: never[]) => Service): Service | undefined {
    return this.made.get(type) as Service | undefined;
  }

  private make(type: unknown): unknown {
    const provider = this.providers.get(type);
    if (provider) {
      if ('useValue' in provider) return provider.useValue;
      return provider.useFactory(...(provider.inject ?? []).map((token) => this.get(token)));
    }
    if (typeof type !== 'function') throw new Error(`no service is known as ${String(type)}`);
    const types = (Reflect.getMetadata(PARAMTYPES_METADATA, type) ?? []) as unknown[];
    const named = (Reflect.getMetadata(SELF_DECLARED_DEPS_METADATA, type) ?? []) as {
      index: number;
      param: unknown;
    }[];
    const parts = types.map((part, i) => this.get(named.find(({ index }) => index === i)?.param ?? part));
    return new (type as ServiceClass)(...parts);
  }
}

/**
 * Creates the listener, and starts it only after the service that requested it has registered its channels.
 */
function listening({ directUrl, log }: Runtime): Listener {
  const listener = new Listener(directUrl, log);
  queueMicrotask(() => void listener.start());
  return listener;
}

/**
 * Runs the work of a command with the services that it needs.
 * @param provided what its services need beside those of every command
 */
export async function withServices<Result>(
  runtime: Runtime,
  work: (services: Services) => Promise<Result>,
  provided: ValueProvider[] = [],
): Promise<Result> {
  const idle = new IdleConnections(runtime.log, runtime.storeUrl);
  // The entities of the code that the command has loaded.
  const entities = getMetadataArgsStorage().tables.map(({ target }) => target);
  const source = new DataSource({ ...storeSource(runtime, idle), entities });
  const services: CommandServices = new CommandServices(
    new Map<unknown, ValueProvider | FactoryProvider>([
      ...[...foundations(runtime, idle), ...provided].map(
        (provider) => [provider.provide, provider] as const,
      ),
      [DataSource, { provide: DataSource, useValue: source }],
      [Listener, { provide: Listener, useFactory: () => listening(runtime) }],
      // The processes that deliver hear this doorbell, and they also sweep regularly.
      [Doorbell, { provide: Doorbell, useFactory: () => services.get(PostgresDoorbell) }],
    ]),
  );
  try {
    await source.initialize();
    await services.get<SystemDatabase>(SystemDatabase).query(RENEW_EPOCH);
    return await work(services);
  } finally {
    idle.close();
    await services.find(Listener)?.close();
    await services.find(Replica)?.close();
    await services.find(ReadConnections)?.close();
    await services.find(SystemDatabase)?.close();
    await services.find(SignInDatabase)?.close();
    if (source.isInitialized) await source.destroy();
  }
}
