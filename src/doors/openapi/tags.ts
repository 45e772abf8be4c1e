import { GROUPS } from '../../access/rights.js';

/** The descriptions of the tags that are no groups of operations. */
const PARTS: Record<string, string> = {
  Approvals: 'Changes of agents that wait for a person.',
  Audit: 'Who changed what in the store, and when.',
  Auth: 'Signing in and out, passwords, and who is signed in.',
  'Bulk changes': 'Changes of many records by one call.',
  Connections: 'Apps that people have let into a store.',
  Deliveries: 'What was sent to the webhook, what it answered, and sending it again.',
  Exports: 'Tables for spreadsheets.',
  Invitations: 'Links by which people join a store.',
  Live: 'What changes in a store while somebody looks at it.',
  Members: 'Who works in a store, as its owner or as staff.',
  Notices: 'Where a member of a store is told of new orders.',
  Operations: 'Every operation of the API, run as the signed-in user.',
  'New order': 'Orders that members place by hand.',
  'Order items': 'The lines of an order.',
  'Order list': 'Orders by their payment and delivery too.',
  'Password reset': 'A new password by an e-mailed link.',
  Payments: 'Payments that the messenger reported.',
  Profile: 'The name, currency and time zone of a store.',
  Records: 'Notes of orders, and the audit log.',
  'Saved views': 'Filters of a page under a name.',
  Search: 'One search over what people look for most.',
  'Second factor': 'Codes of an authenticator app, asked for when signing in.',
  Sessions: 'Where a person is signed in.',
  Storefront: 'What a shopper does in the Mini App.',
  Tokens: 'API tokens of a store.',
  Uploads: "Pictures from people's own devices.",
  Webhook: "The address that the store's events are sent to.",
  Webhooks: "Events that the service sends to the store's webhook address.",
  beyond: 'Operations for what people and agents do often.',
};

interface Tag {
  name: string;
  description?: string;
}

/** The used tags, in alphabetical order. */
export function tagsOf(used: string[]): Tag[] {
  const groups = Object.entries(GROUPS).map(([group, description]) => [tagOf(group), description]);
  const tags: Record<string, string> = { ...PARTS, ...Object.fromEntries(groups) };
  const names = [...new Set(used)].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  return names.map((name) => ({ name, ...(name in tags ? { description: tags[name] } : {}) }));
}

const words = (name: string, separator: string) =>
  name
    .replace(/Controller$/, '')
    .replace(/\B[A-Z]/g, `${separator}$&`)
    .toLowerCase();

/**
 * The tag of a group or controller: both payment-providers and PaymentProvidersController become "Payment
 * providers".
 */
export function tagOf(name: string): string {
  const tag = words(name, ' ').replaceAll('-', ' ');
  return tag[0].toUpperCase() + tag.slice(1);
}

/**
 * The id of an endpoint that is not an operation: SecondFactorController.enrol becomes second_factor_enrol.
 */
export const operationIdOf = (controller: string, method: string) =>
  `${words(controller, '_')}_${words(method, '_')}`;
