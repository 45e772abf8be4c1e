/** The descriptions of the tags, which are groups of operations or parts of the dashboard. */
const TAGS: Record<string, string> = {
  Analytics: 'Revenue, orders, visitors and best sellers of a period.',
  Audit: 'Who changed what in the store, and when.',
  Auth: 'Signing in and out, passwords, and who is signed in.',
  Billing: "The store's own plan with this service, its usage and its invoices.",
  Bot: "The store's messenger bot and the message it greets shoppers with.",
  Brands: 'Brands that products belong to.',
  'Bulk changes': 'Changes of many records by one call.',
  Campaigns: 'Messages to many customers at once, through the bot.',
  Categories: 'The tree of categories that products stand in.',
  Checkout: 'The form that shoppers fill in when they order: its fields, conditions and filters.',
  Connections: 'Apps that people have let into a store.',
  Contests: 'Contests that shoppers take part in.',
  Customers: 'Shoppers who have been in the store, their bonus and whether they are banned.',
  Deliveries: 'What was sent to the webhook, what it answered, and sending it again.',
  Events: 'What happened to orders, for readers that ask for it.',
  Exports: 'Tables for spreadsheets.',
  Invitations: 'Links by which people join a store.',
  'Invoice fields': "What the messenger's payment form asks shoppers for, and tips.",
  Live: 'What changes in a store while somebody looks at it.',
  Members: 'Who works in a store, as its owner or as staff.',
  Monetization: 'The rules of bonus, referrals and cashback.',
  Operations: 'Every operation of the API, run as the signed-in user.',
  'Order items': 'The lines of an order.',
  Orders: 'Orders: their status, shipping, notes and refunds.',
  Overview: 'The store at a glance: what it has, what waits, and whether it is ready to sell.',
  'Password reset': 'A new password by an e-mailed link.',
  'Payment providers': 'The ways in which shoppers pay.',
  Payments: 'Payments that the messenger reported.',
  Products: 'What the store sells: products, their variants, prices and stock.',
  Promocodes: 'Codes that take something off an order.',
  Records: 'Notes of orders, and the audit log.',
  Search: 'One search over what people look for most.',
  'Second factor': 'Codes of an authenticator app, asked for when signing in.',
  Sessions: 'Where a person is signed in.',
  Settings: "The store's name, texts and logos.",
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
  const names = [...new Set(used)].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  return names.map((name) => ({ name, ...(name in TAGS ? { description: TAGS[name] } : {}) }));
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
