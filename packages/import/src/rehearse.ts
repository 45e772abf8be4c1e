import { type Answer, CALLS, type Warning, warningsOf } from './carry-out.js';
import { cut } from './cut.js';
import { type Plan, STEPS } from './planning/plan.js';
import type { Call } from './planning/read-stored.js';

/** How many records the service rehearses of a call. */
const REHEARSED = 20;

/**
 * What the service would warn of: of all prices of existing products, and of the first products that would be
 * made or changed, which are rehearsed without being stored.
 * @returns also how many products were not rehearsed
 */
export async function rehearsed(
  plan: Plan,
  call: Call,
  signal?: AbortSignal,
): Promise<{ warnings: Warning[]; rest: number }> {
  const warnings: Warning[] = [];
  let rest = 0;
  for (const step of STEPS) {
    const works = plan.steps[step].filter(({ brand, category }) => !brand && !category);
    if (works.length === 0 || step === 'stocks') continue;
    const isWhole = step === 'prices';
    if (!isWhole) rest += Math.max(0, works.length - REHEARSED);
    const parts = isWhole ? cut(works, CALLS[step].most) : [works.slice(0, REHEARSED)];
    for (const part of parts) {
      signal?.throwIfAborted();
      const { operation, rest: more } = CALLS[step];
      const input = { ...more, items: part.map(({ item }) => item) };
      const { items } = isWhole
        ? await call<Answer>(operation, { ...input, preview: true })
        : (await call<{ answer: Answer }>('preview_change', { operation, input })).answer;
      for (const [i, item] of items.entries()) warnings.push(...warningsOf(item, part[i].lines[0]));
    }
  }
  return { warnings, rest };
}
