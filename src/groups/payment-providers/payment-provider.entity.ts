import { declareSealed } from '../../platform/crypto/sealed-columns.js';
import { Column, Entity } from 'typeorm';
import { RecordRow } from '../../platform/database/store-row.entity.js';

@Entity('payment_providers')
export class PaymentProvider extends RecordRow {
  @Column('text')
  providerName: string;

  /** Null if the provider has no token. `sealPurpose` is needed to open it. */
  @Column({ type: 'text', nullable: true })
  sealedToken: string | null;

  @Column({ type: 'text', nullable: true })
  tokenHint: string | null;

  @Column('boolean')
  isTestMode: boolean;

  @Column('boolean')
  isActive: boolean;

  @Column({ type: 'text', array: true })
  supportedCurrencies: string[];

  /** The metadata as callers may see it, with secrets masked. */
  @Column({ type: 'json', nullable: true })
  metadata: Record<string, unknown> | null;

  /** The JSON as it was given, sealed. `sealPurpose` is needed to open it. */
  @Column({ type: 'text', nullable: true })
  sealedMetadata: string | null;
}

/** The purpose that binds a provider's sealed values to its row. */
export const sealPurpose = (id: string) => `provider:${id}`;

declareSealed('payment_providers', ['sealed_token', 'sealed_metadata'], (row) => sealPurpose(row.id));

/**
 * The `metadata.kind` of a provider by which the shopper and the shop agree on the payment outside the
 * messenger, such as cash on delivery (docs/behaviour.md §11).
 */
export const AGREEMENT = 'agreement';

export const isAgreement = ({ metadata }: { metadata: Record<string, unknown> | null }): boolean =>
  metadata?.kind === AGREEMENT;
