import type { Tool } from '@modelcontextprotocol/server';
import { type Scope } from '../../../access/rights.js';
import { isPlainObject } from '../../../platform/schema/json/parse-input.js';

/** The name by which `?tools=` asks for the short list. */
export const COMPACT = 'compact';

export const FIND_TOOLS = 'find_tools';

/** One for each scope, so that a host that asks its person by tool asks about the right thing. */
const CALLERS: Record<Scope, string> = {
  read: 'call_read_tool',
  write: 'call_write_tool',
  admin: 'call_admin_tool',
};
export const callerFor = (scope: Scope): string => CALLERS[scope];
const isCaller = (name: unknown): name is string => Object.values(CALLERS).includes(name as string);

/** A call of a tool by way of another one. */
export interface InnerCall {
  via: string;
  name: string;
  given: unknown;
}

/** What a message on the short list calls by way of another tool; null if it calls its tool itself. */
export function innerCall(message: unknown): InnerCall | null {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: unknown };
  if (method !== 'tools/call' || !isPlainObject(params) || !isCaller(params.name)) return null;
  const { name, arguments: given = {} } = isPlainObject(params.arguments) ? params.arguments : {};
  return { via: params.name, name: typeof name === 'string' ? name : '', given };
}

export const isCallOf = (message: unknown, name: string): boolean => {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } };
  return method === 'tools/call' && params?.name === name;
};

const text = (description: string) => ({ type: 'string', description });

const tool = (
  name: string,
  [title, description]: [string, string],
  properties: NonNullable<Tool['inputSchema']['properties']>,
  annotations: Tool['annotations'],
): Tool => ({
  name,
  title,
  description,
  inputSchema: {
    type: 'object' as const,
    required: Object.keys(properties),
    properties,
    additionalProperties: false,
  },
  outputSchema: { type: 'object' as const, required: ['ok'] },
  annotations: { title, ...annotations },
});

const CALLED = { name: text('The name of the tool.'), arguments: { type: 'object' } };
const CHANGES = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
const LOOKS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

export const FINDER = tool(
  FIND_TOOLS,
  [
    'Find tools',
    'Find tools that are not listed: products, variants, categories, brands, promocodes, bonus, checkout, ' +
      'payment, bot, contests, customers, notes, bills. Returns names and input schemas.',
  ],
  { text: text('What is to be done, in words, or names of tools.') },
  LOOKS,
);

export const CALLING: Record<Scope, Tool> = {
  read: tool(
    CALLERS.read,
    ['Call a tool that looks', 'Call a tool of find_tools that only looks.'],
    CALLED,
    LOOKS,
  ),
  write: tool(
    CALLERS.write,
    [
      'Call a tool that changes',
      'Call a tool of find_tools that changes something. A wrong call is answered with its input schema.',
    ],
    CALLED,
    CHANGES,
  ),
  admin: tool(
    CALLERS.admin,
    [
      'Call a tool that deletes',
      'Call a tool of find_tools that needs scope admin: it deletes, or connects the bot. Ask the user.',
    ],
    CALLED,
    CHANGES,
  ),
};
