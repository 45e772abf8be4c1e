import 'reflect-metadata';
import type { FactoryProvider, ValueProvider } from '@nestjs/common';
import { PARAMTYPES_METADATA, SELF_DECLARED_DEPS_METADATA } from '@nestjs/common/constants.js';
import { DataSource, getMetadataArgsStorage } from 'typeorm';
import { IdleConnections } from '../../platform/database/idle-connections.js';
import { Listener } from '../../platform/database/listener.js';
import { ReadConnections } from '../../platform/database/read-connections.js';
import { Replica } from '../../platform/database/replica.js';
import { SystemDatabase } from '../../platform/database/system.js';
import { foundations, storeSource } from '../../platform/foundations.js';
import type { Runtime } from '../../runtime.js';
import { Doorbell } from '../../webhooks/doorbell/doorbell.js';
import { PostgresDoorbell } from '../../webhooks/doorbell/postgres-doorbell.js';

/** Where a command gets the application's services from. Nest's application context is one, too. */
export interface Services {
  get<Service>(type: abstract new (...args: never[]) => Service): Service;
}

type ServiceClass = new (...parts: unknown[]) => unknown;

/**
 * Makes the services that a command asks for, and what these stand on, each once. Reads from their classes what Nest reads; without
 * its modules, which know all there is and take seconds to load. No hook of their lives is called: a command ends with its process.
 */
class CommandServices implements Services {
  private readonly made = new Map<unknown, unknown>();

  constructor(private readonly providers: ReadonlyMap<unknown, ValueProvider | FactoryProvider>) {}

  get<Service>(type: unknown): Service {
    if (!this.made.has(type)) this.made.set(type, this.make(type));
    return this.made.get(type) as Service;
  }

  /** The one that was made, if any was. */
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
    const named = (Reflect.getMetadata(SELF_DECLARED_DEPS_METADATA, type) ?? []) as { index: number; param: unknown }[];
    const parts = types.map((part, i) => this.get(named.find(({ index }) => index === i)?.param ?? part));
    return new (type as ServiceClass)(...parts);
  }
}

/** Not before whoever asks for it has said what to listen for. */
function listening({ directUrl, log }: Runtime): Listener {
  const listener = new Listener(directUrl, log);
  queueMicrotask(() => void listener.start());
  return listener;
}

/** Runs a command's work with the services it asks for. */
export async function withServices<Result>(runtime: Runtime, work: (services: Services) => Promise<Result>): Promise<Result> {
  const idle = new IdleConnections(runtime.log, runtime.storeUrl);
  // Those of the services that the command has loaded.
  const entities = getMetadataArgsStorage().tables.map(({ target }) => target);
  const source = new DataSource({ ...storeSource(runtime, idle), entities });
  const services: CommandServices = new CommandServices(
    new Map<unknown, ValueProvider | FactoryProvider>([
      ...foundations(runtime, idle).map((provider) => [provider.provide, provider] as const),
      [DataSource, { provide: DataSource, useValue: source }],
      [Listener, { provide: Listener, useFactory: () => listening(runtime) }],
      // Whatever delivers hears it, and sweeps in any case.
      [Doorbell, { provide: Doorbell, useFactory: () => services.get(PostgresDoorbell) }],
    ]),
  );
  try {
    await source.initialize();
    await services.get<SystemDatabase>(SystemDatabase).query('select renew_order_event_epoch()');
    return await work(services);
  } finally {
    idle.close();
    await services.find(Listener)?.close();
    await services.find(Replica)?.close();
    await services.find(ReadConnections)?.close();
    await services.find(SystemDatabase)?.close();
    if (source.isInitialized) await source.destroy();
  }
}
