import { readFileSync } from 'node:fs';

/**
 * Secrets, and addresses that may have one. Each may be in a file instead, which the variable NAME_FILE
 * names, as the secrets of containers are.
 */
const SECRETS = [
  'ENCRYPTION_KEY',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_REPLICA_URL',
  'DATABASE_SERVICE_PASSWORD',
  'REDIS_URL',
  'SMTP_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'UPLOADS_S3_ACCESS_KEY_ID',
  'UPLOADS_S3_SECRET_ACCESS_KEY',
];

export const FILE_VARIABLES: readonly string[] = SECRETS.map((name) => `${name}_FILE`);

/**
 * Puts the contents of the files in place of their variables.
 * @param given the variables that are set
 * @returns the variables, and what is wrong with them: each a sentence that begins with a variable
 */
export function withSecretFiles(given: Record<string, string | undefined>): {
  values: Record<string, string | undefined>;
  problems: string[];
} {
  const values = { ...given };
  const problems = SECRETS.flatMap((name) => {
    const file = given[`${name}_FILE`];
    if (file === undefined) return [];
    if (given[name] !== undefined) return [`${name}: is set, and so is ${name}_FILE; set only one of them`];
    try {
      // Editors and `echo` end a file with a line feed.
      values[name] = readFileSync(file, 'utf8').trim();
    } catch (error) {
      return [`${name}_FILE: could not be read: ${(error as Error).message}`];
    }
    return values[name] === '' ? [`${name}_FILE: the file ${file} is empty`] : [];
  });
  return { values, problems };
}
