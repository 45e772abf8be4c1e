import { createHash } from 'node:crypto';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { WebhookClient } from '../../webhooks/delivery/webhook-client.js';
import type { Notice } from '../notice.js';
import { PushKeys } from './push-keys.service.js';
import { encrypt, proofOf, type PushTarget } from './push-message.js';

/** For name resolution, connection and answer together. */
const TIMEOUT_MS = 5_000;
/** In seconds: for so long a push service keeps a message for a browser that is not running. */
const KEPT = 3_600;
/** The push service says that there is no such subscription any more. */
const GONE = [404, 410];

export interface PushOutcome {
  outcome: 'sent' | 'gone' | 'failed';
  /** Why it was not sent. */
  error: string | null;
}

/**
 * Sends notices to browsers by their push services. Their addresses come from members, so they are used as
 * those of webhooks are: public ones only, checked for each connection, without redirects.
 */
@Injectable()
export class PushSender implements OnApplicationShutdown {
  private readonly client: WebhookClient;
  private readonly contact: string;

  constructor(
    @Inject(CONFIG) { webhook, baseUrl }: Config,
    private readonly keys: PushKeys,
    private readonly clock: Clock,
  ) {
    this.client = new WebhookClient({ allowPrivate: webhook.allowPrivateTargets, timeoutMs: TIMEOUT_MS });
    // The rules of proofs allow https only.
    this.contact = baseUrl.replace(/^http:/, 'https:');
  }

  /** @param topic a further message with it takes the place of one that still waits */
  async send(target: PushTarget, notice: Notice, topic: string): Promise<PushOutcome> {
    const keys = await this.keys.get();
    const headers = {
      authorization: proofOf(target.endpoint, keys, this.contact, this.clock.now()),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(KEPT),
      topic: createHash('sha256').update(topic).digest('base64url').slice(0, 32),
      urgency: 'high',
    };
    const body = encrypt(JSON.stringify({ ...notice, tag: topic }), target);
    const { ok, statusCode, error } = await this.client.post(target.endpoint, headers, body);
    if (ok) return { outcome: 'sent', error: null };
    return { outcome: GONE.includes(statusCode ?? 0) ? 'gone' : 'failed', error };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }
}
