import type { SecretBox } from '../../platform/crypto/secret-box.js';
import type { ClaimedDelivery } from './delivery-queue.js';
import { secretPurpose, webhookHeaders } from './signature.js';

/** The most secrets that are kept decrypted. */
const MOST = 1_000;

/** Signs deliveries. The secret of a busy store is decrypted once, not for each of them. */
export class Signer {
  /** By their sealed value, which is another after every rotation. */
  private readonly secrets = new Map<string, string>();

  constructor(private readonly box: Pick<SecretBox, 'open'>) {}

  /**
   * The headers of an attempt, signed with the secrets that are in force now, so that a rotation applies to
   * every attempt after it (docs/behaviour.md §7.3).
   * @throws Error if the secret cannot be opened
   */
  headersOf(delivery: ClaimedDelivery, at: Date): Record<string, string> {
    const { storeId, id, event, body, requestId, sealedSecret, sealedPreviousSecret } = delivery;
    const secret = this.open(storeId, sealedSecret);
    const previousSecret =
      sealedPreviousSecret === null ? undefined : this.open(storeId, sealedPreviousSecret);
    return webhookHeaders({ event, deliveryId: id, secret, previousSecret, body, at, requestId });
  }

  private open(storeId: string, sealed: string): string {
    const known = this.secrets.get(sealed);
    if (known !== undefined) return known;
    const secret = this.box.open(sealed, secretPurpose(storeId));
    if (this.secrets.size >= MOST) this.secrets.clear();
    this.secrets.set(sealed, secret);
    return secret;
  }
}
