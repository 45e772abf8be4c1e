import { Injectable } from '@nestjs/common';
import {
  type CompleteRequest,
  type CompleteResult,
  type GetPromptResult,
  INVALID_PARAMS,
  type ListPromptsResult,
  ProtocolError,
} from '@modelcontextprotocol/server';
import { Clock } from '../../../platform/clock.js';
import type { Principal } from '../../../platform/store/call.js';
import { nameKey } from '../../../platform/text/name-key.js';
import { isPlainObject } from '../../../platform/schema/json/parse-input.js';
import type { ToolSelection } from '../tool-selection.js';
import { Tools } from '../tools.js';
import { type Known, PROMPTS, type ShopPrompt } from './prompt-list.js';

/** The protocol allows no more. */
const MOST_VALUES = 100;

/** The tasks that a host can offer to its person by name (docs/behaviour.md §8). */
@Injectable()
export class Prompts {
  constructor(
    private readonly tools: Tools,
    private readonly clock: Clock,
  ) {}

  list(principal: Principal, selection: ToolSelection): ListPromptsResult['prompts'] {
    return this.offered(principal, selection).map(({ name, title, description, arguments: known }) => ({
      name,
      title,
      description,
      arguments: known.map(({ name: argument, description: about, required }) => ({
        name: argument,
        description: about,
        required,
      })),
    }));
  }

  /**
   * @param params of the message, as they were sent
   * @throws ProtocolError for an unknown prompt, and for arguments that are missing, unknown or too long
   */
  get(principal: Principal, selection: ToolSelection, params: unknown): GetPromptResult {
    const { name, arguments: given = {} } = isPlainObject(params) ? params : {};
    const offered = this.offered(principal, selection);
    const prompt = offered.find((known) => known.name === name);
    if (!prompt) {
      const names = offered.map((known) => known.name).join(', ') || 'none';
      throw refused(`There is no prompt ${String(name).slice(0, 100)}; the prompts are: ${names}`);
    }
    const text = prompt.text(checked(prompt, given));
    return {
      description: prompt.description,
      messages: [{ role: 'user', content: { type: 'text', text } }],
    };
  }

  /** Values that fit what a person has begun to type; none where there is nothing to offer. */
  async complete(
    principal: Principal,
    selection: ToolSelection,
    { ref, argument }: CompleteRequest['params'],
    categories: Known['categories'],
  ): Promise<CompleteResult> {
    const name = ref.type === 'ref/prompt' ? ref.name : undefined;
    const prompt = this.offered(principal, selection).find((known) => known.name === name);
    const known = prompt?.arguments.find((one) => one.name === argument.name);
    const values = (await known?.suggests?.({ now: this.clock.now(), categories })) ?? [];
    const begun = nameKey(argument.value).toLowerCase();
    const fitting = values.filter((value) => nameKey(value).toLowerCase().startsWith(begun));
    return { completion: { values: fitting.slice(0, MOST_VALUES) } };
  }

  private offered(principal: Principal, selection: ToolSelection): ShopPrompt[] {
    const names = new Set(this.tools.callable(principal, selection).map(({ name }) => name));
    return PROMPTS.filter(({ tools }) => tools.every((tool) => names.has(tool)));
  }
}

const refused = (message: string) => new ProtocolError(INVALID_PARAMS, message);

/** An argument of nothing but spaces was left out. */
function checked({ name, arguments: known }: ShopPrompt, given: unknown): Record<string, string> {
  if (!isPlainObject(given)) throw refused('arguments must be a JSON object');
  const unknown = Object.keys(given).find((key) => !known.some((argument) => argument.name === key));
  if (unknown !== undefined) throw refused(`arguments.${unknown.slice(0, 100)} is not known to ${name}`);
  const values: Record<string, string> = {};
  for (const { name: argument, required, max, form } of known) {
    const value = given[argument] ?? '';
    if (typeof value !== 'string') throw refused(`arguments.${argument} must be a string`);
    if (value.trim() === '' && required) throw refused(`arguments.${argument} is required`);
    if (value.length > max) throw refused(`arguments.${argument} must be at most ${max} characters`);
    if (value.trim() === '') continue;
    if (form && !form.pattern.test(value.trim()))
      throw refused(`arguments.${argument} must be ${form.expected}`);
    values[argument] = value.trim();
  }
  return values;
}
