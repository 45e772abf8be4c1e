import type { Field } from '../formats/fields.js';
import type { Problem, Unfit } from '../problem.js';
import type { Doubt, Settings } from '../reading/line.js';
import type { Missing, References } from './references.js';

/** A value as it is compared and shown. */
export type Shown = string | number | boolean | string[] | null;

export interface Difference {
  line: number;
  /** The product, and the variant if it is one's. */
  name: string;
  field: Field;
  before: Shown;
  after: Shown;
}

/** An item of a call, and the lines of the file that it is from. */
export interface Work {
  lines: number[];
  item: Record<string, unknown>;
  /** A brand or category to be made before, by its name or path. */
  brand?: string;
  category?: string[];
}

/** The calls of an import, in the order in which they are made. */
export const STEPS = ['created', 'variants', 'products', 'prices', 'stocks'] as const;
export type Step = (typeof STEPS)[number];

/** What would be of a product. */
export interface Planned {
  title: string;
  line: number;
  lines: number[];
  verdict: 'new' | 'changed' | 'unchanged' | 'leftOut';
  differences: Difference[];
  /** A new product as it would be made. */
  made?: Record<string, unknown>;
  /** Variants that an existing product would get. */
  added: { optionTitle: string; variantValue: string; price: number; itemAmount?: number | null }[];
}

export interface Plan {
  products: Planned[];
  problems: Problem[];
  steps: Record<Step, Work[]>;
  /** Brands and categories that do not exist. */
  missing: Missing;
  /** What a person has to say before the file can be understood. */
  doubts: Doubt[];
  /** Whether codes may have lost zeros. */
  asksZeros: boolean;
  /** Whether pictures are named without an address. */
  asksPictureBase: boolean;
  /** Whether new products have no picture. */
  asksPicture: boolean;
  /** The headings of columns that are not read. */
  leftOut: string[];
  /** The lines of the file; the others add up to the first. */
  counts: Record<'all' | 'new' | 'changed' | 'unchanged' | 'leftOut' | 'sections', number>;
}

/** What a product is planned with. */
export interface Planning {
  plan: Plan;
  references: References;
  settings: Settings;
}

export const problemOf = (line: number, { code, value, column }: Unfit): Problem => ({
  line,
  code,
  ...(column !== undefined && { column }),
  ...(value !== undefined && { value }),
});
