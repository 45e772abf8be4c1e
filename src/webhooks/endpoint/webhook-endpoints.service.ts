import { Inject, Injectable } from '@nestjs/common';
import { changedFields, REMOVED } from '../../platform/store/audit.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { declareSealed } from '../../platform/crypto/sealed-columns.js';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import type { RowOf } from '../../platform/database/statement.js';
import { invalidInput, notFound } from '../../platform/errors.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { resolveTarget, TargetRefused } from '../../platform/http/address-guard.js';
import { Doorbell } from '../doorbell/doorbell.js';
import { newSecret, secretPurpose, type SigningSecrets } from '../delivery/signature.js';
import { FIND, FIND_HEALTH, PAUSE, REMOVE, ROTATE, SAVE } from './webhook-endpoints.statements.js';

export interface WebhookEndpoint {
  url: string;
  paused: boolean;
  createdAt: Date;
  updatedAt: Date;
}

/** Whether deliveries arrive at the present URL; since when and why not. */
type WebhookHealth = RowOf<typeof FIND_HEALTH>;

declareSealed('webhook_endpoints', ['sealed_secret', 'sealed_previous_secret'], (row) =>
  secretPurpose(row.store_id),
);

/** A store's only webhook: its URL and the secret that signs it, which is stored encrypted. */
@Injectable()
export class WebhookEndpoints {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly secrets: SecretBox,
    private readonly doorbell: Doorbell,
  ) {}

  async find(ctx: StoreContext): Promise<WebhookEndpoint | null> {
    const [row] = await ctx.session.read(FIND);
    if (!row) return null;
    const { url, pausedAt, createdAt, updatedAt } = row;
    return { url, paused: pausedAt !== null, createdAt, updatedAt };
  }

  /** All null without a webhook. */
  async health(ctx: StoreContext): Promise<WebhookHealth> {
    const [health] = await ctx.session.read(FIND_HEALTH);
    return health ?? { lastSuccessAt: null, failingSince: null, lastError: null };
  }

  /** The URL and the secrets to sign with. @throws OperationError not_found when none is set */
  async target(ctx: StoreContext): Promise<{ url: string } & SigningSecrets> {
    const [row] = await ctx.session.read(FIND);
    if (!row) throw notFound('The webhook');
    const open = (sealed: string) => this.secrets.open(sealed, secretPurpose(ctx.storeId));
    return {
      url: row.url,
      secret: open(row.sealedSecret),
      previousSecret: row.sealedPreviousSecret === null ? undefined : open(row.sealedPreviousSecret),
    };
  }

  /**
   * Asks name servers, so no connection of the database may wait for it.
   * @throws OperationError invalid_input for an address that is not public https
   */
  async check(url: string): Promise<void> {
    try {
      await resolveTarget(url, { allowPrivate: this.config.webhook.allowPrivateTargets });
    } catch (error) {
      if (error instanceof TargetRefused) throw invalidInput(error.sentence);
      throw error;
    }
  }

  /** @param url that was checked. @returns the secret on the first save only */
  async save(ctx: StoreContext, url: string): Promise<{ url: string; secret?: string }> {
    const before = await this.find(ctx);
    const secret = newSecret();
    const sealedSecret = this.secrets.seal(secret, secretPurpose(ctx.storeId));
    const [{ isNew }] = await ctx.session.query(SAVE, { url, sealedSecret, now: ctx.now() });
    this.audit(ctx, { url: before?.url }, { url, secret: isNew ? REMOVED : undefined });
    ctx.session.onCommit(() => this.doorbell.ring(ctx.storeId));
    return isNew ? { url, secret } : { url };
  }

  /**
   * Later attempts are signed with the new secret. The old one stops working at once, or with `overlap` signs
   * for another 24 hours in the header that can hold two signatures.
   * @returns the new secret, and until when the old one signs too, if it does
   */
  async rotateSecret(
    ctx: StoreContext,
    { overlap = false }: { overlap?: boolean } = {},
  ): Promise<{ secret: string; previousUntil?: Date }> {
    const secret = newSecret();
    const sealedSecret = this.secrets.seal(secret, secretPurpose(ctx.storeId));
    const rows = await ctx.session.query(ROTATE, { sealedSecret, now: ctx.now(), overlaps: overlap });
    if (rows.length === 0) throw notFound('The webhook');
    ctx.audit.target = `webhook:${ctx.storeId}`;
    ctx.audit.changes = { secret: [REMOVED, REMOVED] };
    const { previousUntil } = rows[0];
    return previousUntil ? { secret, previousUntil } : { secret };
  }

  /**
   * While the webhook is paused nothing is sent. Changes are still recorded, and are sent when it is resumed.
   */
  async pause(ctx: StoreContext, paused: boolean): Promise<void> {
    const before = await this.find(ctx);
    const now = ctx.now();
    const rows = await ctx.session.query(PAUSE, { pausedAt: paused ? now : null, now });
    if (!before || rows.length === 0) throw notFound('The webhook');
    this.audit(ctx, { paused: before.paused }, { paused });
    if (!paused) ctx.session.onCommit(() => this.doorbell.ring(ctx.storeId));
  }

  async remove(ctx: StoreContext): Promise<void> {
    const before = await this.find(ctx);
    const rows = await ctx.session.query(REMOVE, { now: ctx.now() });
    if (!before || rows.length === 0) throw notFound('The webhook');
    this.audit(ctx, before, { url: null, paused: null, createdAt: null, updatedAt: null });
  }

  private audit(ctx: StoreContext, before: object, after: object): void {
    ctx.audit.target = `webhook:${ctx.storeId}`;
    ctx.audit.changes = changedFields(before, after);
  }
}
