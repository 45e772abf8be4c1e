/**
 * The `metadata.kind` of a provider by which the shopper and the shop agree on the payment outside the
 * messenger, such as cash on delivery (docs/behaviour.md §11).
 */
export const AGREEMENT = 'agreement';

export const isAgreement = ({ metadata }: { metadata: Record<string, unknown> | null }): boolean =>
  metadata?.kind === AGREEMENT;
