import { Inject, Injectable } from '@nestjs/common';
import { changedFields, REMOVED } from '../../platform/store/audit.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { declareSealed } from '../../platform/crypto/sealed-columns.js';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import { statement } from '../../platform/database/statement.js';
import { invalidInput, notFound } from '../../platform/errors.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { resolveTarget, TargetRefused } from '../../platform/http/address-guard.js';
import { Doorbell } from '../doorbell/doorbell.js';
import { givenUp } from '../delivery/delivery-queue.statements.js';
import { newSecret, secretPurpose } from '../delivery/signature.js';

export interface WebhookEndpoint {
  url: string;
  paused: boolean;
  createdAt: Date;
  updatedAt: Date;
}

interface EndpointRow extends Record<string, unknown> {
  url: string;
  sealed_secret: string;
  paused_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

const FIND = statement(
  'find_webhook',
  `select url, sealed_secret, paused_at, created_at, updated_at from webhook_endpoints where store_id = $1`,
);

/**
 * Keeps an existing secret, because it is shown only once, on the first save. The pace of a new URL is not
 * known yet.
 */
const SAVE = statement(
  'save_webhook',
  `insert into webhook_endpoints as e (store_id, url, sealed_secret, created_at, updated_at) values ($1, $2, $3, $4, $4)
   on conflict (store_id) do update set url = $2, updated_at = $4, pace = case e.url when $2 then e.pace else 'unknown' end
   returning e.sealed_secret = $3 as is_new`,
);

const ROTATE = statement(
  'rotate_webhook_secret',
  `update webhook_endpoints set sealed_secret = $2, updated_at = $3 where store_id = $1 returning 1`,
);

const PAUSE = statement(
  'pause_webhook',
  `update webhook_endpoints set paused_at = $2, updated_at = $3 where store_id = $1 returning 1`,
);

/** Pending deliveries fail, because they have nowhere to go. */
const REMOVE = statement(
  'remove_webhook',
  `with undeliverable as (
    update webhook_deliveries set ${givenUp('$2')}
    where store_id = $1 and status = 'pending'
  ) delete from webhook_endpoints where store_id = $1 returning 1`,
);

declareSealed('webhook_endpoints', ['sealed_secret'], (row) => secretPurpose(row.store_id));

/** A store's only webhook: its URL and the secret that signs it, which is stored encrypted. */
@Injectable()
export class WebhookEndpoints {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly secrets: SecretBox,
    private readonly doorbell: Doorbell,
  ) {}

  async find(ctx: StoreContext): Promise<WebhookEndpoint | null> {
    const [row] = await ctx.session.read<EndpointRow>(FIND);
    return row
      ? { url: row.url, paused: row.paused_at !== null, createdAt: row.created_at, updatedAt: row.updated_at }
      : null;
  }

  /** The URL and the secret to sign with. @throws OperationError not_found when none is set */
  async target(ctx: StoreContext): Promise<{ url: string; secret: string }> {
    const [row] = await ctx.session.read<EndpointRow>(FIND);
    if (!row) throw notFound('The webhook');
    return { url: row.url, secret: this.secrets.open(row.sealed_secret, secretPurpose(ctx.storeId)) };
  }

  /**
   * @returns the secret on the first save only. @throws OperationError invalid_input for an address that is
   * not public https
   */
  async save(ctx: StoreContext, url: string): Promise<{ url: string; secret?: string }> {
    try {
      await resolveTarget(url, { allowPrivate: this.config.webhook.allowPrivateTargets });
    } catch (error) {
      if (error instanceof TargetRefused) throw invalidInput(error.message);
      throw error;
    }
    const before = await this.find(ctx);
    const secret = newSecret();
    const sealed = this.secrets.seal(secret, secretPurpose(ctx.storeId));
    const [{ is_new }] = await ctx.session.run<{ is_new: boolean }>(SAVE, url, sealed, ctx.now());
    this.audit(ctx, { url: before?.url }, { url, secret: is_new ? REMOVED : undefined });
    ctx.session.onCommit(() => this.doorbell.ring(ctx.storeId));
    return is_new ? { url, secret } : { url };
  }

  /** The old secret stops working at once: later attempts are signed with the new one. */
  async rotateSecret(ctx: StoreContext): Promise<{ secret: string }> {
    const secret = newSecret();
    const rows = await ctx.session.run(
      ROTATE,
      this.secrets.seal(secret, secretPurpose(ctx.storeId)),
      ctx.now(),
    );
    if (rows.length === 0) throw notFound('The webhook');
    ctx.audit.target = `webhook:${ctx.storeId}`;
    ctx.audit.changes = { secret: [REMOVED, REMOVED] };
    return { secret };
  }

  /**
   * While the webhook is paused nothing is sent. Changes are still recorded, and are sent when it is resumed.
   */
  async pause(ctx: StoreContext, paused: boolean): Promise<void> {
    const before = await this.find(ctx);
    const rows = await ctx.session.run(PAUSE, paused ? ctx.now() : null, ctx.now());
    if (!before || rows.length === 0) throw notFound('The webhook');
    this.audit(ctx, { paused: before.paused }, { paused });
    if (!paused) ctx.session.onCommit(() => this.doorbell.ring(ctx.storeId));
  }

  async remove(ctx: StoreContext): Promise<void> {
    const before = await this.find(ctx);
    const rows = await ctx.session.run(REMOVE, ctx.now());
    if (!before || rows.length === 0) throw notFound('The webhook');
    this.audit(ctx, before, { url: null, paused: null, createdAt: null, updatedAt: null });
  }

  private audit(ctx: StoreContext, before: object, after: object): void {
    ctx.audit.target = `webhook:${ctx.storeId}`;
    ctx.audit.changes = changedFields(before, after);
  }
}
