import { checkDatabase } from './database.js';
import type { Report } from './report.js';
import { checkSettings } from './settings.js';
import { checkDisk, checkMail, checkMessenger, checkRedis, checkService } from './surroundings.js';

/** Looks at the whole installation and changes nothing: no migration, no role, no file. It works with a broken configuration too. */
export async function examine(): Promise<Report> {
  const { checks, config } = checkSettings();
  if (config) {
    const found = await Promise.all([
      checkService(config),
      checkDisk(config),
      checkDatabase(config),
      checkRedis(config),
      checkMail(config),
      checkMessenger(config),
    ]);
    checks.push(...found.flat());
  }
  return { ok: !checks.some(({ level }) => level === 'error'), checks };
}
