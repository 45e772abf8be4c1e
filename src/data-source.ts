import path from 'node:path';
import { DataSource, Migration, type MigrationExecutor } from 'typeorm';
import { MIGRATIONS } from '../migrations/all.js';
import { findEmbeddedPostgres } from './embedded-postgres/embedded-postgres.js';
import { type Config, ConfigurationError } from './platform/config/config.js';
import { readConfig } from './platform/config/environment.js';
import { Client } from './platform/database/connections/connection.js';
import { classesOf } from './platform/database/installation/migration-runner.js';
import { SnakeNamingStrategy } from './platform/database/snake-naming.strategy.js';
import { createLogger } from './platform/logging/logger.js';
import { openRuntime } from './start/runtime.js';

const IS_THE_SCHEMA =
  'migrations/schema.sql and the steps in migrations/all.ts are the schema. Entities only name columns and ' +
  'know nothing of its keys, checks, policies and triggers, so TypeORM neither compares nor changes it';
const NO_WAY_BACK =
  'A migration is not taken back, because what it has removed would not return: restore a backup ' +
  '(shop restore), or write another step';

const refuse = (reason: string) => Promise.reject<never>(new Error(reason));

/**
 * For TypeORM's own commands, as in `npx typeorm migration:show -d dist/src/data-source.js`. They connect as
 * the role that owns the tables. `migration:run` is `shop migrate`, which makes the roles first; `schema:*`,
 * `migration:generate` and `migration:revert` are refused.
 */
class ShopDataSource extends DataSource {
  constructor(
    private readonly config: Config,
    url: string,
  ) {
    super({
      type: 'postgres',
      entities: [path.join(import.meta.dirname, '**/*.entity.{js,ts}')],
      migrations: classesOf(MIGRATIONS),
      namingStrategy: new SnakeNamingStrategy(),
      installExtensions: false,
      extra: { connectionString: url, Client },
    });
    // What schema:log, schema:sync and migration:generate ask.
    this.driver.createSchemaBuilder = () => ({
      build: () => refuse(IS_THE_SCHEMA),
      log: () => refuse(IS_THE_SCHEMA),
    });
  }

  override synchronize(): Promise<void> {
    return refuse(IS_THE_SCHEMA);
  }

  override dropDatabase(): Promise<void> {
    return refuse(IS_THE_SCHEMA);
  }

  override undoLastMigration(): Promise<void> {
    return refuse(NO_WAY_BACK);
  }

  override async runMigrations(
    options: { fake?: boolean } = {},
  ): ReturnType<MigrationExecutor['executePendingMigrations']> {
    if (options.fake) throw new Error('A migration is not entered without being applied: leave --fake out');
    const log = createLogger(this.config.logLevel, 2);
    const runtime = await openRuntime(this.config, log, { command: 'migrate' });
    await runtime.close();
    const applied = runtime.migrationsApplied.map((name) => new Migration(undefined, at(name), name));
    for (const { name } of applied) this.logger.logMigration(`Migration ${name} has been executed.`);
    if (applied.length === 0) this.logger.logMigration('No migrations are pending');
    return applied;
  }
}

/** The time at the end of a migration's name. */
const at = (name: string) => Number(name.slice(-13));

/** @throws ConfigurationError if there is no database to connect to */
async function source(): Promise<DataSource> {
  const config = readConfig();
  const url = config.databaseDirectUrl ?? config.databaseUrl ?? (await findEmbeddedPostgres(config.dataDir));
  if (url) return new ShopDataSource(config, url);
  throw new ConfigurationError('The embedded database does not run: start the service, or set DATABASE_URL');
}

export default await source();
