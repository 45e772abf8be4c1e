import { type Config, KNOWN_VARIABLES, loadConfig } from '../../../platform/config/config.js';
import { misspeltVariables, readEnvFile } from '../../../platform/config/environment.js';
import { isOwnMachine } from '../../../platform/text/url.js';
import { type Check, fine, reasonOf, warning, wrong } from './report.js';

/**
 * The variables that determine the database. If one is not valid, its default could lead to another database.
 */
const DECISIVE = ['DATABASE_URL', 'DATA_DIR', 'ENCRYPTION_KEY'];

/**
 * Reads `.env` and the environment. For a variable that is not valid the default is used, so that the rest
 * can be checked.
 */
export function checkSettings(at: Pick<NodeJS.Process, 'env' | 'cwd'>): {
  checks: Check[];
  config: Config | null;
} {
  const checks: Check[] = [];
  try {
    readEnvFile(at.cwd(), at.env);
  } catch (error) {
    checks.push(wrong('env file', reasonOf(error), 'Correct the line, or remove the file.'));
  }
  const hints = misspeltVariables(KNOWN_VARIABLES, at.env);
  if (hints.length > 0) checks.push(warning('variables', hints.join(' '), 'Rename them, or remove them.'));
  const env = { ...at.env };
  for (;;) {
    try {
      const config = loadConfig(env);
      if (!checks.some(({ check }) => check === 'configuration'))
        checks.push(fine('configuration', 'Every variable is valid.'));
      return { checks: [...checks, checkAddress(config)], config };
    } catch (error) {
      const reason = reasonOf(error);
      checks.push(wrong('configuration', reason, '.env.example says of each variable what it may be.'));
      const named = KNOWN_VARIABLES.filter((name) => new RegExp(`\\b${name}:`).test(reason));
      if (named.length === 0 || named.some((name) => DECISIVE.includes(name.replace(/_FILE$/, ''))))
        return { checks, config: null };
      for (const name of named) {
        delete env[name];
        delete env[`${name}_FILE`];
      }
    }
  }
}

function checkAddress({ baseUrl }: Config): Check {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === 'https:' && !isOwnMachine(hostname))
    return fine('address', `The world reaches the service at ${baseUrl}.`);
  return warning(
    'address',
    `The world is said to reach the service at ${baseUrl}: no bot can be connected, because the messenger ` +
      `sends updates to public https addresses only, and browsers keep the dashboard's sessions only there ` +
      'and on their own machine.',
    'Set BASE_URL to the public https address; at a desk, to that of a tunnel.',
  );
}
