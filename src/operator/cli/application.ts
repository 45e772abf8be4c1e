import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../app.module.js';
import { NestLogger } from '../../platform/logging/logger.js';
import type { Runtime } from '../../runtime.js';

/** Runs a command's work with the application's services, without a server. */
export async function inApplication<Result>(
  runtime: Runtime,
  work: (app: INestApplicationContext) => Promise<Result>,
): Promise<Result> {
  // Redis rings the same doorbell as the sweep does; a process that ends at once leaves it alone.
  const options = { ...runtime, config: { ...runtime.config, redisUrl: null } };
  const app = await NestFactory.createApplicationContext(AppModule.with(options), {
    logger: new NestLogger(runtime.log),
    abortOnError: false,
  });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}
