import { checkDatabase } from './database.js';
import type { Report } from './report.js';
import { checkSettings } from './settings.js';
import {
  checkDisk,
  checkMail,
  checkMessenger,
  checkPooler,
  checkRedis,
  checkService,
  checkVersion,
} from './surroundings.js';

/**
 * Examines the whole installation without changing anything: no migration, no role, no file. It also works
 * with an invalid configuration.
 */
export async function examine(at: Pick<NodeJS.Process, 'env' | 'cwd'>): Promise<Report> {
  const { checks, config } = checkSettings(at);
  if (config) {
    const found = await Promise.all([
      checkService(config),
      checkVersion(config),
      checkDisk(config),
      checkDatabase(config),
      checkPooler(config),
      checkRedis(config),
      checkMail(config),
      checkMessenger(config),
    ]);
    checks.push(...found.flat());
  }
  return { ok: !checks.some(({ level }) => level === 'error'), checks };
}
