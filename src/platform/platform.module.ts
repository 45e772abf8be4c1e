import {
  type DynamicModule,
  Global,
  Inject,
  Module,
  type BeforeApplicationShutdown,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, DiscoveryModule } from '@nestjs/core';
import { ThrottlerModule, ThrottlerStorage } from '@nestjs/throttler';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Caps } from './caps/caps.js';
import { CallInterceptor } from './call/call.interceptor.js';
import { KeptChanges } from './call/kept-changes.service.js';
import { Previews } from './call/previews/previews.service.js';
import { ScopeGuard } from './call/scope.guard.js';
import { TokenGuard } from './call/token.guard.js';
import { ClientTokens } from './auth/client-tokens.js';
import { TokenRegistry } from './auth/token-registry.js';
import { IdleConnections } from './database/connections/idle-connections.js';
import type { Config } from './config/config.js';
import { foundations, type PlatformOptions, storeSource } from './foundations.js';
import type { Logger } from './logging/logger.js';
import { Listener } from './database/connections/listener.js';
import { Retention } from './database/retention.service.js';
import { Replica } from './database/connections/replica.js';
import { ReadConnections } from './database/connections/read-connections.js';
import { LiveChanges } from './store/live-changes.js';
import { StoreDatabase } from './store/store-context.js';
import { KeptBounds } from './database/kept-bounds.service.js';
import { SignInDatabase, SystemDatabase } from './database/system.js';
import { Drain } from './http/drain.js';
import { CallRefusal } from './call/refusal.filter.js';
import { HealthController } from './http/health.controller.js';
import { Metrics } from './observability/metrics.js';
import { MetricsController } from './observability/metrics.controller.js';
import { MetricsServer } from './observability/metrics-server.js';
import { PlatformMetrics } from './http/platform-metrics.js';
import { Readiness } from './http/readiness.js';
import { OperationRegistry } from './call/operation.registry.js';
import { BudgetGuard, budgets } from './rate-limit/budget.guard.js';
import type { BudgetStorage } from './rate-limit/budget-storage.js';
import { MemoryThrottlerStorage } from './rate-limit/memory-storage.js';
import { stopTracing } from './observability/tracing.js';
import { RedisThrottlerStorage } from './rate-limit/redis-storage.js';

/** Everything that does not depend on the shop's own concepts, available everywhere. */
@Global()
@Module({})
export class PlatformModule implements OnModuleInit, BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(
    private readonly listener: Listener,
    private readonly system: SystemDatabase,
    private readonly signIn: SignInDatabase,
    private readonly reads: ReadConnections,
    @Inject(Replica) private readonly replica: Replica | null,
    @Inject(ThrottlerStorage) private readonly throttler: ThrottlerStorage,
    private readonly idle: IdleConnections,
  ) {}

  static with(options: PlatformOptions): DynamicModule {
    const { config, log, storeUrl } = options;
    const idle = new IdleConnections(log, storeUrl);
    const providers = [
      ...foundations(options, idle),
      LiveChanges,
      StoreDatabase,
      TokenRegistry,
      ClientTokens,
      TokenGuard,
      ScopeGuard,
      Caps,
      BudgetGuard,
      OperationRegistry,
      KeptBounds,
      KeptChanges,
      Previews,
      Retention,
      CallInterceptor,
      CallRefusal,
      Drain,
      Readiness,
      Metrics,
      MetricsServer,
      PlatformMetrics,
    ];
    return {
      module: PlatformModule,
      imports: [
        DiscoveryModule,
        ThrottlerModule.forRootAsync({
          useFactory: async () => budgets(config, await budgetStorage(config, log)),
        }),
        TypeOrmModule.forRoot({ ...storeSource(options, idle), autoLoadEntities: true }),
      ],
      controllers: [HealthController, ...(config.metricsPort === null ? [MetricsController] : [])],
      providers: [
        ...providers,
        { provide: APP_INTERCEPTOR, useExisting: CallInterceptor },
        { provide: APP_FILTER, useExisting: CallRefusal },
      ],
      exports: providers.map((provider) => ('provide' in provider ? provider.provide : provider)),
    };
  }

  async onModuleInit(): Promise<void> {
    await this.listener.start();
  }

  beforeApplicationShutdown(): void {
    this.idle.close();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.listener.close();
    if (this.throttler instanceof RedisThrottlerStorage) this.throttler.close();
    await this.replica?.close();
    await this.reads.close();
    await this.system.close();
    await this.signIn.close();
    await stopTracing();
  }
}

/** Budgets are counted by Redis for all instances, or otherwise in this process. */
async function budgetStorage({ redisUrl }: Config, log: Logger): Promise<BudgetStorage> {
  return redisUrl ? RedisThrottlerStorage.open(redisUrl, log) : new MemoryThrottlerStorage();
}
