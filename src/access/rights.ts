/**
 * The rights of callers, as tables. Everything else derives from them, and whatever they do not name may do
 * nothing. Imports nothing, so that every other part may import it.
 */

/** From the narrowest to the widest; each includes those before it (docs/behaviour.md §2.2). */
export const SCOPES = ['read', 'write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** What people call the scopes, where they let an app in. */
export const LEVEL_NAMES: Record<Scope, string> = {
  read: 'Look only',
  write: 'Look and change',
  admin: 'Everything',
};

/** The members of a store: what they may do themselves, and the most that they may grant to an app (§10). */
const MEMBERS = {
  owner: { scope: 'admin', title: 'an owner' },
  staff: { scope: 'write', title: 'a member of staff' },
} as const satisfies Record<string, { scope: Scope; title: string }>;
export type Role = keyof typeof MEMBERS;
export const ROLES = Object.keys(MEMBERS) as Role[];

/** The groups of operations, each with what its operations are about. */
export const GROUPS = {
  activity: 'What was changed by whom; changes tried before they are made, and undone.',
  analytics: 'Revenue, orders, visitors and best sellers of a period.',
  billing: "The store's own plan with this service, its usage and its invoices.",
  bot: "The store's messenger bot and the message it greets shoppers with.",
  brands: 'Brands that products belong to.',
  campaigns: 'Messages to many customers at once, through the bot.',
  categories: 'The tree of categories that products stand in.',
  checkout: 'The form that shoppers fill in when they order: its fields, conditions and filters.',
  contests: 'Contests that shoppers take part in.',
  customers: 'Shoppers who have been in the store, their bonus and whether they are banned.',
  events: 'What happened to orders, for readers that ask for it.',
  'invoice-fields': "What the messenger's payment form asks shoppers for, and tips.",
  monetization: 'The rules of bonus, referrals and cashback.',
  orders: 'Orders: their status, shipping, notes and refunds.',
  overview: 'The store at a glance: what it has, what waits, and whether it is ready to sell.',
  'payment-providers': 'The ways in which shoppers pay.',
  products: 'What the store sells: products, their variants, prices and stock.',
  promocodes: 'Codes that take something off an order.',
  settings: "The store's name, texts and logos.",
};

export type Group = keyof typeof GROUPS;

/**
 * To what a caller is narrowed: groups and names of operations; null is every group (docs/behaviour.md
 * §2.4).
 */
export type Groups = readonly string[] | null;

/** These belong to every group: they show and do only what the caller may see and do. */
export const IN_EVERY_GROUP = [
  'get_store_overview',
  'list_activity',
  'list_changes',
  'preview_change',
  'apply_change',
  'undo_change',
];

/** What a narrowed app may do only if the person says so (docs/behaviour.md §15). */
export const SENSITIVE_GROUPS: readonly Group[] = ['payment-providers', 'bot'];

/** The scope by which an app asks for a group: a scope-token of RFC 6749 §3.3. */
const GROUP_SCOPE = 'group:';
export const groupScope = (group: string): string => GROUP_SCOPE + group;
export const GROUP_SCOPES: readonly string[] = Object.keys(GROUPS).map(groupScope);

/** The groups that scopes name, without those that do not exist. */
export const groupsOfScopes = (scopes: readonly string[]): Group[] =>
  (Object.keys(GROUPS) as Group[]).filter((group) => scopes.includes(groupScope(group)));

/** What people call a group, or an operation. */
export const groupTitle = (name: string): string => name.replace(/[-_]/g, ' ');

/** Something that can be called: its name, and the groups of which any is enough. */
export interface Callable {
  name: string;
  groups: readonly string[];
}

/** A name that is not in the table includes nothing. */
export const includesPlace = (held: Groups, { name, groups }: Callable): boolean =>
  held === null ||
  IN_EVERY_GROUP.includes(name) ||
  groups.includes(EVERY_GROUP) ||
  held.includes(name) ||
  groups.some((group) => held.includes(group));

/** For routes that every member may call, and that show only what the caller's groups allow. */
export const EVERY_GROUP = 'every group';
/** For routes that only callers with every group may call, because they show everything. */
export const UNGROUPED: readonly string[] = [];

/** @param held null for a caller who may do nothing */
export function includesScope(held: Scope | null, needed: Scope): boolean {
  const least = SCOPES.indexOf(needed);
  return held !== null && least >= 0 && SCOPES.indexOf(held) >= least;
}

/** What is left of a granted scope to somebody who could grant no more than the ceiling. */
export const scopeWithin = (ceiling: Scope | null, granted: Scope): Scope | null =>
  includesScope(ceiling, granted) ? granted : ceiling;

/** The given scope and those it includes, from the narrowest. */
export const scopesUpTo = (held: Scope | null): Scope[] =>
  SCOPES.filter((scope) => includesScope(held, scope));

/** The scopes that include the given one. */
export const scopesWith = (needed: Scope): Scope[] => SCOPES.filter((scope) => includesScope(scope, needed));

/** @returns null for a role that is not in the table */
export const scopeOf = (role: string): Scope | null =>
  Object.hasOwn(MEMBERS, role) ? MEMBERS[role as Role].scope : null;

/** The role in a sentence: "You are an owner". */
export const titleOf = (role: Role): string => MEMBERS[role].title;

/** What a call needs: a scope, and a group that includes its name. */
export interface RequiredRights extends Callable {
  scope: Scope;
}

/** What a caller holds. */
export interface Rights {
  /** Null if the caller may do nothing: a member whose role is unknown. */
  scope: Scope | null;
  /** To what the caller is narrowed; null or absent: every group (docs/behaviour.md §2.4). */
  groups?: Groups;
  /** For an app that a person connected: the highest scope and the groups that the person could grant now. */
  consent?: { ceiling: Scope | null; groups: Groups };
}

/** Whether the caller's groups include the place, and for an app also those of the person who let it in. */
export const isWithin = ({ groups = null, consent }: Rights, place: Callable): boolean =>
  (groups === null || includesPlace(groups, place)) &&
  (consent === undefined || consent.groups === null || includesPlace(consent.groups, place));

export const mayCall = (held: Rights, needed: RequiredRights): boolean =>
  includesScope(held.scope, needed.scope) && isWithin(held, needed);

/** Whether the person who let the app in could grant this. For any other caller, whether it may call it. */
export const couldHave = (held: Rights, needed: RequiredRights): boolean => {
  const { consent } = held;
  if (!consent) return mayCall(held, needed);
  return includesScope(consent.ceiling, needed.scope) && includesPlace(consent.groups, needed);
};

/** Whether an app's call is refused only because the person granted less than they could have. */
export const couldBeGranted = (held: Rights, needed: RequiredRights): boolean =>
  held.consent !== undefined && !mayCall(held, needed) && couldHave(held, needed);
