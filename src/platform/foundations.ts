import type { FactoryProvider, ValueProvider } from '@nestjs/common';
import type { DataSourceOptions } from 'typeorm';
import { Clock, SystemClock } from './clock.js';
import { CONFIG, type Config } from './config/config.js';
import { SecretBox } from './crypto/secret-box.js';
import { POOL } from './database/connections/connection.js';
import { IdleConnections } from './database/connections/idle-connections.js';
import { Listener } from './database/connections/listener.js';
import { ReadConnections } from './database/connections/read-connections.js';
import { Replica } from './database/connections/replica.js';
import { SnakeNamingStrategy } from './database/snake-naming.strategy.js';
import { SignInDatabase, SystemDatabase } from './database/system.js';
import { LOGGER, type Logger } from './logging/logger.js';

/** The settings and connections that the platform needs to start. */
export interface PlatformOptions {
  config: Config;
  log: Logger;
  storeUrl: string;
  systemUrl: string;
  /**
   * Like systemUrl, but without a pooler, for connections that must last. Needed only if systemUrl leads to a
   * pooler.
   */
  directUrl?: string;
  /** Like storeUrl, but on a standby, for long reads. */
  replicaUrl?: string | null;
  encryptionKeys: string[];
  clock?: Clock;
}

const SYSTEM_POOL = 8;
const SIGN_IN_POOL = 3;

/** The values and connections that services need. */
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
    {
      provide: SystemDatabase,
      useFactory: () => new SystemDatabase(systemUrl, { max: SYSTEM_POOL, onError: idle.onLost }),
    },
    {
      provide: SignInDatabase,
      useFactory: () =>
        new SignInDatabase(systemUrl, { max: SIGN_IN_POOL, name: 'shop-sign-in', onError: idle.onLost }),
    },
    { provide: ReadConnections, useFactory: () => new ReadConnections(storeUrl) },
    {
      provide: Replica,
      inject: [ReadConnections],
      useFactory: (reads: ReadConnections) =>
        replicaUrl ? new Replica(replicaUrl, reads, log, config.databasePool) : null,
    },
    { provide: Listener, useFactory: () => new Listener(directUrl ?? systemUrl, log) },
  ];
}

/** TypeORM's connection settings, for the role that sees one store. */
export const storeSource = ({ config, storeUrl }: PlatformOptions, idle: IdleConnections) =>
  ({
    type: 'postgres',
    synchronize: false,
    namingStrategy: new SnakeNamingStrategy(),
    applicationName: 'shop-store',
    poolErrorHandler: idle.onLost,
    // Connections pipeline, so that BEGIN and the store's setting are sent together with the first statement.
    extra: { ...POOL, connectionString: storeUrl, max: config.databasePool },
  }) satisfies DataSourceOptions;
