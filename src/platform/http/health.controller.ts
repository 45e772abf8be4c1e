import { Controller, Get, HttpCode, Inject, Res } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';
import type { Response } from 'express';
import { SystemDatabase } from '../database/system-database.js';
import { RedisThrottlerStorage } from '../rate-limit/redis-storage.js';

const READY_TIMEOUT_MS = 2_000;

/** Probes (docs/behaviour.md §9). They speak their own format, not the envelope. */
@Controller('health')
export class HealthController {
  constructor(
    @Inject(SystemDatabase) private readonly database: SystemDatabase,
    @Inject(ThrottlerStorage) private readonly throttler: ThrottlerStorage,
  ) {}

  @Get('live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('ready')
  @HttpCode(200)
  async ready(@Res({ passthrough: true }) response: Response): Promise<{ status: string; checks: Record<string, string> }> {
    const probes: Record<string, () => Promise<unknown>> = { database: () => this.database.query('select 1') };
    const { throttler } = this;
    if (throttler instanceof RedisThrottlerStorage) probes.redis = () => throttler.ping();
    const checks = Object.fromEntries(
      await Promise.all(Object.entries(probes).map(async ([name, probe]) => [name, await outcome(probe)] as const)),
    );
    const ready = Object.values(checks).every((check) => check === 'ok');
    if (!ready) response.status(503);
    return { status: ready ? 'ok' : 'unavailable', checks };
  }
}

async function outcome(probe: () => Promise<unknown>): Promise<'ok' | 'unavailable'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(new Error('too slow')), READY_TIMEOUT_MS)));
  try {
    await Promise.race([probe(), late]);
    return 'ok';
  } catch {
    return 'unavailable';
  } finally {
    clearTimeout(timer);
  }
}
