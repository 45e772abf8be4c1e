import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { Transporter } from 'nodemailer';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import type { Letter } from './email-templates.js';
import { outside } from '../../platform/held.js';

/** The time limit for each step of the conversation with the mail server. */
const STEP_MS = 10_000;
/** How long a stopping service waits for letters under way. */
const SHUTDOWN_MS = 5_000;

/** Sends e-mail by SMTP if SMTP_URL is set. No call waits for it. A letter that cannot be sent is logged. */
@Injectable()
export class Mailer implements BeforeApplicationShutdown, OnApplicationShutdown {
  /** How many letters the mail server took, refused because of their address, and did not take. */
  readonly outcomes = { sent: 0, refused: 0, failed: 0 };
  /** Created for the first letter. */
  private transport: Promise<Transporter> | null = null;
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  get isOn(): boolean {
    return this.config.smtp !== null;
  }

  /** Does the work after the present call has been answered. */
  afterAnswer(work: () => Promise<void>): void {
    const done = new Promise<void>((resolve) => setImmediate(resolve))
      .then(work)
      .catch((error: unknown) => this.log.error(causeOf(error), 'an e-mail could not be sent'))
      .finally(() => this.underWay.delete(done));
    this.underWay.add(done);
  }

  /** @throws Error if the mail server refuses the letter or does not answer in time */
  async send({ to, subject, text }: Letter): Promise<void> {
    outside('the mail server');
    const { url, from } = this.config.smtp!;
    this.transport ??= transportFor(url);
    const transport = await this.transport;
    // An object, so that the text is always taken as a single address.
    const address = { name: '', address: to };
    await transport.sendMail({ from, to: address, subject, text }).then(
      () => this.outcomes.sent++,
      (error: unknown) => {
        this.outcomes[isAboutAddress(error) ? 'refused' : 'failed']++;
        throw error;
      },
    );
  }

  /** Waits while the database still answers, because the work under way looks people up in it. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.race([Promise.all(this.underWay), sleep(SHUTDOWN_MS, undefined, { ref: false })]);
  }

  async onApplicationShutdown(): Promise<void> {
    (await this.transport)?.close();
  }
}

/**
 * Whether the mail server refused the letter because there is no such mailbox, which only the person who gave
 * the address can mend. A server that does not relay for the service refuses the recipient too: by its code
 * (RFC 3463, 5.7), or in words.
 */
function isAboutAddress(error: unknown): boolean {
  const { command, responseCode, response = '' } = error as SmtpFailure;
  return command === 'RCPT TO' && responseCode! >= 500 && !/\b5\.7\.\d|relay/i.test(response);
}

interface SmtpFailure {
  code?: string;
  responseCode?: number;
  response?: string;
  command?: string;
}

/** The mail server's message may contain the address, which must not be logged. */
function causeOf(error: unknown): object {
  const { code, responseCode, command } = error as SmtpFailure;
  return code === undefined ? { err: error } : { code, responseCode, command };
}

/** The library is loaded on first use, because most processes send no letters. */
export async function transportFor(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    dnsTimeout: STEP_MS,
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
