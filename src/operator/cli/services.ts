import type { INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MessengerModule } from '../../messenger/messenger.module.js';
import { PeopleModule } from '../../people/people.module.js';
import type { Config } from '../../platform/config/config.js';
import { recordAction } from '../../platform/database/installation/operator-log.js';
import { SystemDatabase } from '../../platform/database/system.js';
import { type Logger, NestLogger } from '../../platform/logging/logger.js';
import { PlatformModule } from '../../platform/platform.module.js';
import { openExistingRuntime, type Runtime } from '../../start/runtime.js';
import { StoresModule } from '../../stores/stores.module.js';
import { WebhooksModule } from '../../webhooks/webhooks.module.js';
import type { CommandCall, OnlineCommand, Services } from './command.js';

class CommandModule {}

/**
 * Runs work on an installation, with its services: those of every command, and those of `modules`. The whole
 * application would take half a second of processor time more.
 */
export async function onInstallation<Result>(
  settings: Config,
  log: Logger,
  work: (app: Services, runtime: Runtime) => Promise<Result>,
  modules: Type[] = [],
): Promise<Result> {
  const runtime = await openExistingRuntime(settings, log);
  let app: INestApplicationContext | undefined;
  try {
    // A command counts no calls; and the processes that deliver hear the database's doorbell, or sweep.
    const config = { ...runtime.config, redisUrl: null };
    const imports = [
      PlatformModule.with({ ...runtime, config }),
      PeopleModule,
      StoresModule,
      MessengerModule.with(config.messengerApiRoot),
      WebhooksModule.with(config),
      ...modules,
    ];
    app = await NestFactory.createApplicationContext(
      { module: CommandModule, imports },
      { logger: new NestLogger(log), abortOnError: false },
    );
    return await work(app, runtime);
  } finally {
    await app?.close();
    await runtime.close();
  }
}

/** Runs a command, and records it in the operator log if it is one that is recorded. */
export async function runRecorded(name: string, command: OnlineCommand, call: CommandCall): Promise<unknown> {
  const result = await command.run(call);
  const action = command.recorded?.(call.options, result as never);
  if (action)
    await recordAction(call.app.get(SystemDatabase), call.runtime.log, { command: name, ...action });
  return result;
}
