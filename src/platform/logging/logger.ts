import cluster from 'node:cluster';
import { isatty } from 'node:tty';
import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, pino, type Logger as PinoLogger } from 'pino';
import { readable } from './readable.js';

export type Logger = PinoLogger;
export const LOGGER = Symbol('LOGGER');

/** The paths that are removed from every log line. */
const SECRET_PATHS = ['authorization', 'token', 'secret', 'password', 'cookie', 'providerToken'].flatMap(
  (name) => [name, `*.${name}`, `*.*.${name}`],
);

/**
 * The parts of an error that are logged. Drivers add more to theirs: the connection with its cancel key, and
 * the statement's parameters, which may be personal data.
 */
function describeError(error: Error & { code?: unknown; constraint?: unknown }): unknown {
  const { type, message, stack } = pino.stdSerializers.err(error);
  const { code, constraint } = error;
  return { type, message, code, constraint, stack };
}

/**
 * Lines are buffered and written together, so that a request does not wait for its log line to reach the
 * disk. If several processes write to one pipe, each write is at most PIPE_BUF long, which the system writes
 * at once, so that lines do not mix.
 */
const WRITES = cluster.isWorker
  ? { minLength: 3_072, maxWrite: 4_096 }
  : { minLength: 32_768, maxWrite: 65_536 };

/** How long a line waits for others. Without a wait the destination's own timer writes nothing, for ever. */
const LONGEST_WAIT_MS = 200;

/**
 * A logger of lines of JSON, which a person at a terminal gets in words.
 * @param destination file descriptor: 1 for the service, 2 for the command line, whose output is data
 */
export function createLogger(level: string, destination: 1 | 2 = 1): Logger {
  return pino(
    {
      level,
      serializers: { err: describeError },
      redact: { paths: SECRET_PATHS, censor: '[removed]' },
      timestamp: pino.stdTimeFunctions.isoTime,
      base: cluster.isWorker ? { pid: process.pid } : undefined,
    },
    gathered(destination),
  );
}

/**
 * Passes bytes instead of text. Given text, pino's destination appends each line to the waiting ones and
 * measures all of them again, which is three times the work of building the line.
 */
function gathered(destination: 1 | 2): DestinationStream {
  const stream = pino.destination({
    dest: destination,
    sync: false,
    contentMode: 'buffer',
    ...WRITES,
  });
  const write = stream.write.bind(stream) as unknown as (bytes: Buffer) => boolean;
  const isForPeople = isatty(destination) && process.env.NODE_ENV !== 'production';
  let flushing: NodeJS.Timeout | undefined;
  const flush = () => {
    flushing = undefined;
    stream.flush();
  };
  return Object.assign(stream, {
    write: (line: string) => {
      flushing ??= setTimeout(flush, LONGEST_WAIT_MS).unref();
      return write(Buffer.from(isForPeople ? readable(line) : line));
    },
  });
}

/** Lets Nest write through the same logger. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }
  warn(message: unknown, context?: string): void {
    this.logger.warn({ context }, String(message));
  }
  error(message: unknown, stack?: string, context?: string): void {
    this.logger.error({ context, stack }, String(message));
  }
  fatal(message: unknown, context?: string): void {
    this.logger.fatal({ context }, String(message));
  }
}
