import { humanized } from '../../parts/values/format';
import { auditNames } from '../../words';
import type { AuditRow } from './outcome-badge';

export type Kind = NonNullable<AuditRow['targetKind']>;

/** The page of each kind of record, if it has one, below the store's address. `#` is the record's id. */
const PLACES: Record<Kind, string | null> = {
  order: 'orders/#',
  product: 'products/#',
  category: 'categories?edit=#',
  brand: 'brands?edit=#',
  promocode: 'promocodes?edit=#',
  contest: 'contests?edit=#',
  customer: 'customers/#',
  campaign: 'campaigns/#',
  payment_provider: 'payment-providers',
  checkout: 'checkout',
  monetization: 'monetization',
  settings: 'settings',
  bot: 'bot',
  token: 'tokens',
  webhook: 'webhooks',
  delivery: 'webhooks?delivery=#',
  connection: 'connections',
  user: 'members',
  invitation: 'members',
  invoice: 'billing',
  invoice_field_config: 'invoice-fields',
  bot_message: 'bot',
  saved_view: null,
  variant: null,
  upload: null,
  store: null,
};

export const KINDS = Object.keys(PLACES) as Kind[];

const parsed = (target: string) => /^(\w+):(.+)$/s.exec(target)?.slice(1) as [string, string] | undefined;
const isKind = (kind: string): kind is Kind => kind in PLACES;
/** Kinds of which a store has only one. Their id means nothing to a person. */
const SINGLE: readonly Kind[] = [
  'checkout',
  'monetization',
  'settings',
  'invoice_field_config',
  'bot',
  'webhook',
  'store',
];

/**
 * A record's name for people, of which the kind is said once: `order:1042` is "Order 1042".
 * @param name the record's own name, if it has one
 */
export function nameOf(target: string, name: string | null = null): string {
  const [kind, id] = parsed(target) ?? ['', target];
  if (!isKind(kind)) return target;
  const known = auditNames.kinds[kind];
  if (SINGLE.includes(kind)) return known;
  // The service's own name may begin with the kind, in English: "Order 1042, 33.70 USD", "brand Nordwind".
  const own = name?.replace(new RegExp(`^${kind.replaceAll('_', ' ')} `, 'i'), '');
  return `${known} ${own ?? id}`;
}

/** The address of a record below the store's; null if it has no page. */
export function placeOf(target: string): string | null {
  const [kind, id] = parsed(target) ?? ['', ''];
  return isKind(kind) ? (PLACES[kind]?.replace('#', encodeURIComponent(id)) ?? null) : null;
}

/** A call's name for people. @param action a more precise name than the operation's, if there is one */
export function nameOfCall(action: string | null, operation: string): string {
  const { operations } = auditNames;
  return operations[action ?? operation] ?? operations[operation] ?? humanized(operation);
}
