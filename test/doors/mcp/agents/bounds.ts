import type { ScriptedAgent } from './scripted-agent.js';

const MOST_CALLS = 6;
const MOST_TOKENS = 10_000;
/** For jobs that read more than a hundred records. */
const MANY_RECORDS = 100;
const MOST_TOKENS_OF_MANY = 20_000;

/** What a job may cost beside the list of tools. @param most tokens, of a job that writes long texts */
export function expectToFit({ spent }: ScriptedAgent, most: number | null = null): void {
  const tokens = most ?? (spent.records > MANY_RECORDS ? MOST_TOKENS_OF_MANY : MOST_TOKENS);
  const fits = spent.calls <= MOST_CALLS && spent.tokens <= tokens;
  expect({ ...spent, fits }).toEqual({ ...spent, fits: true });
}
