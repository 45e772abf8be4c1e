import { SENSITIVE_GROUPS, type Group, type Groups, GROUPS, includesPlace } from '../../access/rights.js';
import type { OperationRegistry } from '../../platform/call/operation.registry.js';
import type { MembershipRow } from '../../people/accounts/accounts.service.js';
import type { LastGrant } from '../../people/apps/connections.service.js';

/** A group, an operation that the app named, or a read of a group that is otherwise apart. */
export interface GroupChoice {
  name: string;
  about: string;
  /** Offered as what the app may have only if it needs it. */
  isApart: boolean;
  /** The app asks for it by name, and has it not. */
  isAsked: boolean;
  isHeld: boolean;
  isChecked: boolean;
}

/** What decides about the choices of one page. */
interface Request {
  /** To what the resource's query narrows the request; null if not. */
  names: string[] | null;
  /** The groups that the app asks for by name. */
  wantedGroups: string[];
  stores: MembershipRow[];
  last: LastGrant | null;
}

/** By these an app gives away what no daily limit counts (docs/behaviour.md §2.4). */
const UNLIMITED: readonly Group[] = ['promocodes', 'monetization'];

/** What an app may be let work with, as its person can choose. */
export function groupChoices(operations: OperationRegistry, request: Request): GroupChoice[] {
  const { names, wantedGroups, stores, last } = request;
  const isGroup = (name: string): name is Group => Object.hasOwn(GROUPS, name);
  const isKnown = (name: string) => isGroup(name) || operations.find(name) !== undefined;
  const groupOf = (name: string) => (isGroup(name) ? name : operations.groupOf(name));
  const placeOf = (name: string) => ({ name, groups: [groupOf(name)] });
  const canGrant = (name: string) =>
    stores.some(({ groups }) => groups === null || (isKnown(name) && includesPlace(groups, placeOf(name))));
  const isWithin = (held: Groups, name: string) => held === null || includesPlace(held, placeOf(name));
  const isHeld = (name: string) => last !== null && isWithin(last.groups, name);
  const declined = last?.declined ?? [];

  const choiceOf = (name: string): GroupChoice => {
    const group = groupOf(name) as Group;
    const operation = isGroup(name) ? undefined : operations.find(name)!;
    // What is apart can be looked at like anything else: its reads show no secret.
    const isLook = operation?.scope === 'read';
    const isGivenAway = !isLook && (last?.limits ?? null) !== null && UNLIMITED.includes(group);
    const isApart = isGivenAway || (!isLook && SENSITIVE_GROUPS.includes(group));
    const isAsked = wantedGroups.includes(group) && !isHeld(name);
    return {
      name,
      about: operation?.summary ?? GROUPS[group],
      isApart,
      isAsked,
      isHeld: isHeld(name),
      isChecked: isAsked || (isApart ? isHeld(name) && !isGivenAway : !declined.includes(name)),
    };
  };
  const readsOf = (group: Group) =>
    operations
      .list()
      .filter(({ name, scope }) => scope === 'read' && groupOf(name) === group)
      .map(({ name }) => name)
      .filter(canGrant);

  const wanted = names ?? Object.keys(GROUPS);
  const open = stores.some(({ groups }) => groups === null)
    ? wanted
    : // Every one of these people's stores narrows them.
      [...wanted, ...stores.flatMap(({ groups }) => groups ?? [])].filter(canGrant);
  const isOffered = (name: string) => names === null || names.includes(name) || names.includes(groupOf(name));
  // Whoever has a group has its reads.
  const looks = SENSITIVE_GROUPS.filter((group) => !isHeld(group) && !wantedGroups.includes(group)).flatMap(
    readsOf,
  );
  const offered = [...open.filter(isOffered), ...(names === null ? looks : [])];
  return [...new Set(offered)].map(choiceOf);
}
