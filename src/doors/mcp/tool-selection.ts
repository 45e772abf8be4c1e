import type { OperationSpec } from '../../platform/call/operation.decorator.js';
import type { OperationRegistry } from '../../platform/call/operation.registry.js';
import { invalidInput } from '../../platform/errors.js';

/** Which operations are tools for a client. A tool that is left out can neither be listed nor called. */
export type ToolSelection = (operation: OperationSpec) => boolean;

const EVERYTHING: ToolSelection = () => true;

/**
 * The tools that the endpoint's URL asks for: `?tools=orders,get_product` names groups and tools, `?readonly=true` leaves out
 * whatever changes something. It narrows what the token may call, and never widens it.
 * @throws OperationError invalid_input for a name that is neither a group nor a tool, and for another `readonly` than true or false
 */
export function toolSelection(url: string, operations: OperationRegistry): ToolSelection {
  const query = url.indexOf('?');
  if (query < 0) return EVERYTHING;
  const parameters = new URLSearchParams(url.slice(query));
  const readOnly = isReadOnly(parameters.get('readonly'));
  const names = parameters
    .getAll('tools')
    .flatMap((value) => value.split(','))
    .filter((name) => name !== '');
  const known = new Set([...operations.groups(), ...operations.list().map(({ name }) => name)]);
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw invalidInput(
      `tools: ${unknown.slice(0, 100)} is neither a tool nor a group of tools; the groups are ${operations.groups().join(', ')}`,
    );
  }
  const chosen = new Set(names);
  return ({ name, scope }) =>
    (!readOnly || scope === 'read') && (chosen.size === 0 || chosen.has(name) || chosen.has(operations.groupOf(name)));
}

function isReadOnly(value: string | null): boolean {
  if (value === null || value === 'false') return false;
  if (value !== 'true') throw invalidInput('readonly must be true or false');
  return true;
}
