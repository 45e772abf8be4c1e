import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MessengerModule } from '../../messenger/messenger.module.js';
import { PeopleModule } from '../../people/people.module.js';
import { recordAction } from '../../platform/database/installation/operator-log.js';
import { SystemDatabase } from '../../platform/database/system.js';
import { NestLogger } from '../../platform/logging/logger.js';
import { PlatformModule } from '../../platform/platform.module.js';
import { openExistingRuntime, type Runtime } from '../../start/runtime.js';
import { StoresModule } from '../../stores/stores.module.js';
import { WebhooksModule } from '../../webhooks/webhooks.module.js';
import type { CommandCall, OnlineCommand, Services, StandaloneCall } from './command.js';

class CommandModule {}

/**
 * Runs work with the application's services: those of every command, and those of `modules`. The whole
 * application would take half a second of processor time more.
 */
export async function withServices<Result>(
  runtime: Runtime,
  work: (services: Services) => Promise<Result>,
  modules: Type[] = [],
): Promise<Result> {
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
  const app = await NestFactory.createApplicationContext(
    { module: CommandModule, imports },
    { logger: new NestLogger(runtime.log), abortOnError: false },
  );
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

/** Runs a command with the application's services, on the database of its settings. */
export async function runOnline(
  name: string,
  command: OnlineCommand,
  { options, config, log }: StandaloneCall,
): Promise<unknown> {
  const runtime = await openExistingRuntime(config, log);
  try {
    return await withServices(
      runtime,
      (app) => runRecorded(name, command, { app, options, runtime }),
      command.modules,
    );
  } finally {
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
