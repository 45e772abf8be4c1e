import { firstPart } from './cut.js';
import { type Plan, STEPS, type Step, type Work } from './planning/plan.js';
import type { Call } from './planning/read-stored.js';
import { keyOf, plain } from './planning/references.js';
import type { Problem, Told } from './problem.js';

/** How each step is done, and how many items a call of it takes. */
export const CALLS: Record<Step, { operation: string; most: number; rest?: object }> = {
  created: { operation: 'create_products', most: 100 },
  variants: { operation: 'create_products', most: 100, rest: { upsert: true } },
  products: { operation: 'update_products', most: 100 },
  prices: { operation: 'update_prices', most: 200 },
  stocks: { operation: 'update_stocks', most: 200 },
};

interface Result {
  error?: { message: string } & Partial<Told>;
  warnings?: string[];
  /** For pages, what each warning is about. */
  told?: (Told | null)[];
}

/** What the service warns of, by line. */
export interface Warning {
  line: number;
  text: string;
  /** The same for pages, which word it. */
  told?: Told;
}

/** The warnings of an item, whose texts name it by its place in the call, which says nothing here. */
export const warningsOf = ({ warnings = [], told = [] }: Result, line: number): Warning[] =>
  warnings.map((text, i) => ({
    ...{ line, text: text.replace(/^items\[\d+\]\.?/, '') },
    ...(told[i] && { told: told[i] }),
  }));

export interface Answer {
  items: Result[];
  updated?: number;
}

export interface Progress {
  done: number;
  all: number;
}

export interface Outcome {
  /** Lines that the service refused. */
  problems: Problem[];
  warnings: Warning[];
  /** The calls that were answered. */
  answers: { operation: string; answer: Answer }[];
  progress: Progress;
  /** Whether everything was sent. */
  isDone: boolean;
}

/**
 * Carries a plan out, call after call. What was answered is not sent again: an import that was stopped, or
 * broken off by an error, goes on where it was.
 */
export class Import {
  private readonly left: Record<Step, Work[]>;
  private readonly brands = new Map<string, string>();
  private readonly categories = new Map<string, string>();
  private readonly refused = new Set<number>();
  readonly outcome: Outcome;

  constructor(
    private readonly plan: Plan,
    private readonly call: Call,
  ) {
    this.left = Object.fromEntries(STEPS.map((step) => [step, [...plan.steps[step]]])) as Record<
      Step,
      Work[]
    >;
    const all = STEPS.reduce((sum, step) => sum + this.left[step].length, 0);
    this.outcome = { problems: [], warnings: [], answers: [], progress: { done: 0, all }, isDone: all === 0 };
  }

  /** @throws what a call throws, and the signal's reason */
  async run({
    signal,
    onProgress,
  }: { signal?: AbortSignal; onProgress?: (progress: Progress) => void } = {}): Promise<Outcome> {
    await this.makeMissing(signal);
    for (const step of STEPS) {
      while (this.left[step].length > 0) {
        signal?.throwIfAborted();
        await this.next(step);
        onProgress?.({ ...this.outcome.progress });
      }
    }
    this.outcome.isDone = true;
    return this.outcome;
  }

  private async next(step: Step): Promise<void> {
    const { operation, most, rest } = CALLS[step];
    const works = firstPart(this.left[step], most);
    const sent = step === 'created' ? works : works.filter(({ lines }) => !this.refused.has(lines[0]));
    if (sent.length > 0) {
      const items = sent.map((work) => this.itemOf(work));
      const answer = await this.call<Answer>(operation, { ...rest, items });
      this.outcome.answers.push({ operation, answer });
      for (const [i, result] of answer.items.entries()) this.note(step, sent[i], result);
    }
    this.left[step].splice(0, works.length);
    this.outcome.progress.done += works.length;
  }

  private itemOf({ item, brand, category }: Work): object {
    const ids = {
      ...(brand !== undefined && { brandId: this.brands.get(plain(brand)) }),
      ...(category && { categoryId: this.categories.get(keyOf(category)) }),
    };
    return { ...item, ...ids };
  }

  private note(step: Step, { lines }: Work, result: Result): void {
    const { error } = result;
    if (error) {
      const { problem, values = {} } = error;
      const value = error.message.replace(/^items\[\d+\]\.?/, '');
      for (const line of lines) {
        this.outcome.problems.push({
          line,
          code: 'refused',
          value,
          ...(problem && { told: { problem, values } }),
        });
        if (step === 'created') this.refused.add(line);
      }
    }
    this.outcome.warnings.push(...warningsOf(result, lines[0]));
  }

  /** Makes the brands and categories that the products need, categories from the root on. */
  private async makeMissing(signal?: AbortSignal): Promise<void> {
    const works = STEPS.flatMap((step) => this.left[step]);
    const needed = new Set(works.flatMap(({ brand }) => (brand === undefined ? [] : [plain(brand)])));
    for (const { name, slug } of this.plan.missing.brands) {
      if (!needed.has(plain(name)) || this.brands.has(plain(name))) continue;
      signal?.throwIfAborted();
      this.brands.set(plain(name), await this.make('create_brand', { name, slug }));
    }
    const paths = new Set(
      works.flatMap(({ category = [] }) => category.map((_, i) => keyOf(category.slice(0, i + 1)))),
    );
    for (const { path, slug, parentId } of this.plan.missing.categories) {
      const key = keyOf(path);
      if (!paths.has(key) || this.categories.has(key)) continue;
      signal?.throwIfAborted();
      const above = this.categories.get(keyOf(path.slice(0, -1))) ?? parentId;
      const input = { name: path.at(-1)!, slug, ...(above && { parentId: above }) };
      this.categories.set(key, await this.make('create_category', input));
    }
  }

  private async make(operation: string, input: object): Promise<string> {
    const { id } = await this.call<{ id: string }>(operation, input);
    return id;
  }
}
