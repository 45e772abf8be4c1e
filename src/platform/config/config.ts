import { z } from 'zod';
import { parseUrl } from '../text/url.js';
import * as addresses from './address-problems.js';
import { BESIDE_DATABASE_URL, databaseUrlProblem } from './database-url.js';
import { redisUrlProblem } from './redis-url.js';
import { FILE_VARIABLES, withSecretFiles } from './secret-files.js';

const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
/** A number as people write it: no hexadecimal, no exponent, no white space. */
const decimal = z
  .string()
  .regex(/^\d+(\.\d+)?$/, 'must be a number')
  .transform(Number);
const integer = decimal.pipe(z.number().int());
const positive = decimal.pipe(z.number().int().positive());
const BASE64_OF_32_BYTES = /^[\w+/-]{43}=?$/;
const LONGEST_DELAY = 30 * 86_400;
/** How many tokens of a store can use up their budgets at the same time. */
const TOKENS_AT_WORK = 30;
const url = (protocols: string[]) =>
  z.string().refine((value) => protocols.includes(parseUrl(value)?.protocol ?? ''), {
    message: `must be an absolute ${protocols.map((protocol) => protocol.replace(':', '')).join(' or ')} URL`,
  });

/** @param problemOf returns what is wrong with a value, or null */
const without = (problemOf: (value: string) => string | null) =>
  z.string().superRefine((value, { addIssue }) => {
    const problem = problemOf(value);
    if (problem !== null) addIssue({ code: 'custom', message: problem });
  });

/** @returns what is wrong with the keys, wherever they are configured; null when nothing is */
export function encryptionKeyProblem(value: string): string | null {
  if (value.split(',').every((key) => BASE64_OF_32_BYTES.test(key.trim()))) return null;
  return (
    'must be 32 bytes in base64 (several, separated by commas, while a key is rotated: the first one ' +
    'encrypts)'
  );
}

/** Every variable the service reads, with its default. `.env.example` documents the same list. */
const schema = z.object({
  NODE_ENV: without(addresses.nodeEnvProblem).default('development'),
  PORT: integer.pipe(z.number().max(65_535)).default(3000),
  HOST: z.string().min(1).optional(),
  BASE_URL: without(addresses.openRootProblem).optional(),
  STORE_DOMAIN: without(addresses.domainProblem).optional(),
  METRICS_PORT: integer.pipe(z.number().max(65_535)).optional(),
  SHUTDOWN_DELAY: decimal.pipe(z.number().max(300)).optional(),
  DATABASE_URL: without(databaseUrlProblem).optional(),
  DATABASE_DIRECT_URL: without(databaseUrlProblem).optional(),
  DATABASE_SERVICE_PASSWORD: z
    .string()
    .regex(/^[\w.~-]{16,200}$/, 'must be 16 to 200 letters, digits and - . _ ~')
    .optional(),
  DATABASE_REPLICA_URL: url(['postgres:', 'postgresql:']).optional(),
  DATABASE_POOL: positive.pipe(z.number().max(500)).default(10),
  DATA_DIR: z.string().min(1).default('.data'),
  REDIS_URL: without(redisUrlProblem).optional(),
  ENCRYPTION_KEY: without(encryptionKeyProblem).optional(),
  MESSENGER_API_ROOT: without(addresses.openRootProblem).default('https://api.telegram.org'),
  SHOP_ROLES: z
    .string()
    .default('web,deliver')
    .transform((value) => value.split(',').map((role) => role.trim()))
    .pipe(z.array(z.enum(['web', 'deliver'])).min(1)),
  WEBHOOK_RETRY_DELAYS: z
    .string()
    .default('60,300,1800,7200,21600')
    .transform((value) => value.split(',').map((part) => decimal.safeParse(part.trim()).data ?? NaN))
    .refine((delays) => delays.every((delay) => delay <= LONGEST_DELAY), {
      message: `must be seconds separated by commas, each at most ${LONGEST_DELAY}`,
    }),
  WEBHOOK_TIMEOUT: decimal.pipe(z.number().min(0.001).max(60)).default(10),
  WEBHOOK_ALLOW_PRIVATE_TARGETS: flag.default(false),
  TRUSTED_PROXIES: integer.pipe(z.number().max(10)).default(0),
  UPLOADS_S3_ENDPOINT: without(addresses.openRootProblem).optional(),
  UPLOADS_S3_REGION: z.string().min(1).default('auto'),
  UPLOADS_S3_BUCKET: z.string().min(1).optional(),
  UPLOADS_S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  UPLOADS_S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  UPLOADS_PUBLIC_URL: without(addresses.openRootProblem).optional(),
  SMTP_URL: without(addresses.smtpUrlProblem).optional(),
  SMTP_FROM: z
    .string()
    .max(320)
    .regex(
      /^(?:[^\s<>@,]+@[^\s<>@,]+|(?:[^<>\r\n]* )?<[^\s<>@,]+@[^\s<>@,]+>)$/,
      'must be an e-mail address, or Name <address>',
    )
    .optional(),
  SUPPORT_CONTACT: without(addresses.contactProblem).optional(),
  OAUTH_ENABLED: flag.default(true),
  OAUTH_DYNAMIC_REGISTRATION: flag.default(true),
  UNPAID_ORDER_HOURS: decimal.pipe(z.number().max(8_760)).default(24),
  AUDIT_DAYS: positive.pipe(z.number().max(36_500)).default(400),
  OTEL_EXPORTER_OTLP_ENDPOINT: without(addresses.rootProblem).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  RATE_LIMIT_READ: positive.default(100),
  RATE_LIMIT_WRITE: positive.default(30),
  RATE_LIMIT_BAD_TOKENS: positive.default(600),
  STORE_RATE_LIMIT_READ: positive.optional(),
  STORE_RATE_LIMIT_WRITE: positive.optional(),
  STOREFRONT_RATE_LIMIT: positive.default(6_000),
  SESSION_RATE_LIMIT_READ: positive.default(600),
  SESSION_RATE_LIMIT_WRITE: positive.default(240),
});

export const VARIABLES: readonly string[] = Object.keys(schema.shape);
/** With those that name the file of a secret. */
export const KNOWN_VARIABLES: readonly string[] = [...VARIABLES, ...FILE_VARIABLES];

export interface UploadsConfig {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  publicUrl: string;
}

export interface Config {
  nodeEnv: string;
  port: number;
  host: string;
  /** The public address of the service, without a trailing slash. */
  baseUrl: string;
  /** Below it, each store has a host that begins with its id (docs/growth.md); null if there is none. */
  storeDomain: string | null;
  /** The separate port of /metrics; null if it is served on the public port. */
  metricsPort: number | null;
  /** How long the port stays open after a stop was requested, so that balancers notice. */
  shutdownDelayMs: number;
  databaseUrl: string | null;
  /**
   * The server behind the pooler of `databaseUrl`, for migrations, locks and LISTEN. Null if `databaseUrl` is
   * the server itself.
   */
  databaseDirectUrl: string | null;
  /** The password that both roles of the service get from the migration; null for random ones. */
  databaseServicePassword: string | null;
  /** A standby of the database, for long reads; null if there is none. */
  databaseReplicaUrl: string | null;
  databasePool: number;
  dataDir: string;
  redisUrl: string | null;
  /**
   * Base64 keys, of which the first encrypts. Null only for the embedded database, for which one is
   * generated.
   */
  encryptionKeys: string[] | null;
  messengerApiRoot: string;
  roles: { web: boolean; deliver: boolean };
  webhook: { retryDelaysSeconds: number[]; timeoutMs: number; allowPrivateTargets: boolean };
  /**
   * The number of reverse proxies, which append the caller's address to X-Forwarded-For. With 0 the socket's
   * address is used.
   */
  trustedProxies: number;
  /** The mail server and the sender of its e-mails; null if no e-mail is sent. */
  smtp: { url: string; from: string } | null;
  /** Where people reach who runs the service: an e-mail or a web address; null if nobody says. */
  supportContact: string | null;
  /** The bucket for uploaded pictures and its public address; null if uploads are off. */
  uploads: UploadsConfig | null;
  /** Whether people can connect apps by signing in, and whether apps may register themselves for that. */
  oauth: { enabled: boolean; dynamicRegistration: boolean };
  /** When an order that waits for its payment in the messenger is cancelled; 0 is never. */
  unpaidOrderHours: number;
  /** The days for which audit rows are kept. */
  auditDays: number;
  /** The collector to which spans are sent, without a trailing slash; null if there are no spans. */
  otlpEndpoint: string | null;
  otlpHeaders: string | null;
  logLevel: string;
  /** Calls per 60 s: per token, and per address for refused tokens and for each step of an app's sign-in. */
  rateLimit: { read: number; write: number; badTokens: number };
  /** The budgets of all tokens of a store together, and of all calls of its shoppers together. */
  storeRateLimit: { read: number; write: number };
  storefrontRateLimit: number;
  /** The same per person on the dashboard. */
  sessionRateLimit: { read: number; write: number };
}

export const CONFIG = Symbol('CONFIG');

export class ConfigurationError extends Error {}

/**
 * Reads and checks the environment.
 * @throws ConfigurationError with one line that names every bad variable
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  // An empty variable counts as unset, as `docker compose` passes them.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const { values, problems } = withSecretFiles(given);
  const parsed = schema.safeParse(values);
  for (const issue of parsed.error?.issues ?? []) problems.push(`${String(issue.path[0])}: ${issue.message}`);
  if (!parsed.success || problems.length > 0) {
    throw new ConfigurationError(`Configuration is not valid. ${problems.join('; ')}`);
  }
  const value = parsed.data;
  if (value.NODE_ENV === 'production' && value.WEBHOOK_ALLOW_PRIVATE_TARGETS) {
    throw new ConfigurationError(
      'WEBHOOK_ALLOW_PRIVATE_TARGETS: must not be true when NODE_ENV is production',
    );
  }
  if (value.DATABASE_URL && !value.ENCRYPTION_KEY) {
    throw new ConfigurationError(
      'ENCRYPTION_KEY: is required with DATABASE_URL (32 bytes, base64: openssl rand -base64 32)',
    );
  }
  for (const [name, why] of Object.entries(BESIDE_DATABASE_URL)) {
    if (values[name] && !value.DATABASE_URL)
      throw new ConfigurationError(`${name}: needs DATABASE_URL${why}`);
  }
  if (value.METRICS_PORT && value.METRICS_PORT === value.PORT) {
    throw new ConfigurationError('METRICS_PORT: must be another port than PORT');
  }
  const baseUrl = new URL(value.BASE_URL ?? `http://localhost:${value.PORT}`).href.replace(/\/+$/, '');
  return {
    nodeEnv: value.NODE_ENV,
    port: value.PORT,
    host: value.HOST ?? (value.DATABASE_URL ? '0.0.0.0' : '127.0.0.1'),
    baseUrl,
    storeDomain: value.STORE_DOMAIN?.toLowerCase() ?? null,
    metricsPort: value.METRICS_PORT ?? null,
    shutdownDelayMs: Math.round((value.SHUTDOWN_DELAY ?? (value.NODE_ENV === 'production' ? 5 : 0)) * 1000),
    databaseUrl: value.DATABASE_URL ?? null,
    databaseDirectUrl: value.DATABASE_DIRECT_URL ?? null,
    databaseServicePassword: value.DATABASE_SERVICE_PASSWORD ?? null,
    databaseReplicaUrl: value.DATABASE_REPLICA_URL ?? null,
    databasePool: value.DATABASE_POOL,
    dataDir: value.DATA_DIR,
    redisUrl: value.REDIS_URL ?? null,
    encryptionKeys: value.ENCRYPTION_KEY?.split(',').map((key) => key.trim()) ?? null,
    messengerApiRoot: value.MESSENGER_API_ROOT.replace(/\/+$/, ''),
    roles: { web: value.SHOP_ROLES.includes('web'), deliver: value.SHOP_ROLES.includes('deliver') },
    webhook: {
      retryDelaysSeconds: value.WEBHOOK_RETRY_DELAYS,
      timeoutMs: Math.round(value.WEBHOOK_TIMEOUT * 1000),
      allowPrivateTargets: value.WEBHOOK_ALLOW_PRIVATE_TARGETS,
    },
    trustedProxies: value.TRUSTED_PROXIES,
    smtp: value.SMTP_URL
      ? { url: value.SMTP_URL, from: value.SMTP_FROM ?? `no-reply@${new URL(baseUrl).hostname}` }
      : null,
    supportContact: value.SUPPORT_CONTACT ?? null,
    uploads: uploadsOf(value),
    oauth: { enabled: value.OAUTH_ENABLED, dynamicRegistration: value.OAUTH_DYNAMIC_REGISTRATION },
    unpaidOrderHours: value.UNPAID_ORDER_HOURS,
    auditDays: value.AUDIT_DAYS,
    otlpEndpoint: value.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, '') ?? null,
    otlpHeaders: values.OTEL_EXPORTER_OTLP_HEADERS ?? null,
    logLevel: value.LOG_LEVEL,
    rateLimit: {
      read: value.RATE_LIMIT_READ,
      write: value.RATE_LIMIT_WRITE,
      badTokens: value.RATE_LIMIT_BAD_TOKENS,
    },
    storeRateLimit: {
      read: value.STORE_RATE_LIMIT_READ ?? TOKENS_AT_WORK * value.RATE_LIMIT_READ,
      write: value.STORE_RATE_LIMIT_WRITE ?? TOKENS_AT_WORK * value.RATE_LIMIT_WRITE,
    },
    storefrontRateLimit: value.STOREFRONT_RATE_LIMIT,
    sessionRateLimit: { read: value.SESSION_RATE_LIMIT_READ, write: value.SESSION_RATE_LIMIT_WRITE },
  };
}

/** The settings of uploads; null if none is given. @throws ConfigurationError naming what is missing */
function uploadsOf(value: z.infer<typeof schema>): UploadsConfig | null {
  const needed = {
    UPLOADS_S3_ENDPOINT: value.UPLOADS_S3_ENDPOINT?.replace(/\/+$/, ''),
    UPLOADS_S3_BUCKET: value.UPLOADS_S3_BUCKET,
    UPLOADS_S3_ACCESS_KEY_ID: value.UPLOADS_S3_ACCESS_KEY_ID,
    UPLOADS_S3_SECRET_ACCESS_KEY: value.UPLOADS_S3_SECRET_ACCESS_KEY,
    UPLOADS_PUBLIC_URL: value.UPLOADS_PUBLIC_URL?.replace(/\/+$/, ''),
  };
  const missing = Object.entries(needed).flatMap(([name, given]) => (given === undefined ? [name] : []));
  if (missing.length === Object.keys(needed).length) return null;
  if (missing.length > 0)
    throw new ConfigurationError(
      `${missing.join(', ')}: uploads need all of ${Object.keys(needed).join(', ')}`,
    );
  const [endpoint, bucket, accessKeyId, secretAccessKey, publicUrl] = Object.values(needed) as string[];
  return { endpoint, region: value.UPLOADS_S3_REGION, bucket, accessKeyId, secretAccessKey, publicUrl };
}
