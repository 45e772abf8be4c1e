import type { FactoryProvider, ValueProvider } from '@nestjs/common';
import type { DataSourceOptions } from 'typeorm';
import { Clock, SystemClock } from './clock.js';
import { CONFIG, type Config } from './config/config.js';
import { SecretBox } from './crypto/secret-box.js';
import { POOL } from './database/connection.js';
import { IdleConnections } from './database/idle-connections.js';
import { Listener } from './database/listener.js';
import { ReadConnections } from './database/read-connections.js';
import { Replica } from './database/replica.js';
import { SnakeNamingStrategy } from './database/snake-naming.strategy.js';
import { SystemDatabase } from './database/system.js';
import { LOGGER, type Logger } from './logging/logger.js';
import type { Peer } from './peer.js';

/** What the platform needs to know before it can start. */
export interface PlatformOptions {
  config: Config;
  log: Logger;
  storeUrl: string;
  systemUrl: string;
  /** As systemUrl, but past a pooler: what it listens to must last. Unless given, systemUrl is no pooler's. */
  directUrl?: string;
  /** As storeUrl, on a standby: for long reads. */
  replicaUrl?: string | null;
  encryptionKeys: string[];
  clock?: Clock;
  /** Of one of several processes: the one that started it. */
  parent?: Peer;
}

const SYSTEM_POOL = 8;

/** Values and connections that services stand on. The service's own modules have them, and so has the command line, which needs no modules. */
export function foundations(
  { config, log, storeUrl, systemUrl, directUrl, replicaUrl, encryptionKeys, clock }: PlatformOptions,
  idle: IdleConnections,
): (ValueProvider | FactoryProvider)[] {
  return [
    { provide: CONFIG, useValue: config },
    { provide: LOGGER, useValue: log },
    { provide: Clock, useValue: clock ?? new SystemClock() },
    { provide: SecretBox, useValue: new SecretBox(encryptionKeys) },
    { provide: IdleConnections, useValue: idle },
    { provide: SystemDatabase, useFactory: () => new SystemDatabase(systemUrl, { max: SYSTEM_POOL, onError: idle.onLost }) },
    { provide: ReadConnections, useFactory: () => new ReadConnections(storeUrl) },
    {
      provide: Replica,
      inject: [ReadConnections],
      useFactory: (reads: ReadConnections) => (replicaUrl ? new Replica(replicaUrl, reads, log, config.databasePool) : null),
    },
    { provide: Listener, useFactory: () => new Listener(directUrl ?? systemUrl, log) },
  ];
}

/** How TypeORM connects, as the role that sees one store. */
export const storeSource = ({ config, storeUrl }: PlatformOptions, idle: IdleConnections) =>
  ({
    type: 'postgres',
    synchronize: false,
    namingStrategy: new SnakeNamingStrategy(),
    applicationName: 'shop-store',
    poolErrorHandler: idle.onLost,
    // Connections pipeline, so that BEGIN and the store's setting travel with the first statement.
    // TypeORM reads no URL with several hosts, so the driver reads it.
    extra: { ...POOL, connectionString: storeUrl, max: config.databasePool },
  }) satisfies DataSourceOptions;
