import type { OperationSpec } from '../../platform/call/endpoint.js';
import type { OperationRegistry } from '../../platform/call/operation.registry.js';
import { invalidInput } from '../../platform/errors.js';
import { COMPACT } from './compact/compact.js';

/** Whether an operation is a tool for a client. Other operations can be neither listed nor called. */
export type ToolSelection = (operation: Pick<OperationSpec, 'name' | 'scope'>) => boolean;

export const EVERYTHING: ToolSelection = () => true;

/** What a URL of the endpoint, or the resource that an app asks for, narrows. */
export interface Narrowing {
  /** Groups and operations; null if all. */
  names: string[] | null;
  readOnly: boolean;
  /** The id of the only store that may be chosen. */
  storeId: string | null;
  /** The groups and tools that the short list has beside those of every day; null for the whole list. */
  compact: string[] | null;
  /** Whether the list of tools describes their results in full, or only that there is an envelope. */
  outputs: 'full' | 'short';
}

/** The tools that a narrowing leaves. It can only reduce what the token may call. */
export function toolSelection({ names, readOnly }: Narrowing, operations: OperationRegistry): ToolSelection {
  if (names === null && !readOnly) return EVERYTHING;
  const chosen = names && new Set(names);
  return ({ name, scope }) =>
    (!readOnly || scope === 'read') &&
    (chosen === null || chosen.has(name) || chosen.has(operations.groupOf(name)));
}

/**
 * What the query of the endpoint's URL says: `?tools=orders,get_product` names groups and tools,
 * `?tools=compact` asks for the short list, `?readonly=true` leaves out every tool that changes something,
 * `?store=` is the id of the only store, and `?outputs=full` is for programs that make types of the list.
 * Parameter names are read without case, and a second `readonly` cannot undo the first, because a client that
 * asks for `readOnly=true` must not get tools that change something.
 * @throws OperationError invalid_input for a name that is neither a group nor a tool, if `readonly` is
 * neither true nor false, if `outputs` is not full, or for two stores
 */
export function narrowingOf(url: string, operations: OperationRegistry): Narrowing {
  const query = url.indexOf('?');
  if (query < 0) return { names: null, readOnly: false, storeId: null, compact: null, outputs: 'short' };
  const parameters = [...new URLSearchParams(url.slice(query))];
  const given = (wanted: string) =>
    parameters.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
  const readOnly = given('readonly').map(isReadOnly).includes(true);
  const all = given('tools')
    .flatMap((value) => value.split(','))
    .filter((name) => name !== '');
  const isCompact = all.includes(COMPACT);
  const names = [...new Set(all.filter((name) => name !== COMPACT))];
  const known = new Set([...operations.groups(), ...operations.list().map(({ name }) => name)]);
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw invalidInput(
      `tools: ${unknown.slice(0, 100)} is neither a tool nor a group of tools; the groups are ` +
        `${operations.groups().join(', ')}, and compact for the short list`,
    );
  }
  return {
    // The short list leaves nothing out: what it does not show is found.
    names: names.length === 0 || isCompact ? null : names,
    compact: isCompact ? names : null,
    readOnly,
    storeId: storeOf(given('store')),
    outputs: outputsOf(given('outputs')),
  };
}

function storeOf(ids: string[]): string | null {
  const [id = null, ...others] = new Set(ids.map((given) => given.toLowerCase()));
  if (others.length > 0) throw invalidInput('store must be one id');
  return id;
}

function outputsOf(values: string[]): Narrowing['outputs'] {
  if (values.some((value) => value !== 'full')) throw invalidInput('outputs must be full');
  return values.length > 0 ? 'full' : 'short';
}

function isReadOnly(value: string): boolean {
  if (value !== 'true' && value !== 'false') throw invalidInput('readonly must be true or false');
  return value === 'true';
}
