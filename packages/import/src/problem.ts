/** What is wrong with a line, as a code that a page puts into words. */
export type ProblemCode =
  | 'quotes'
  | 'tooManyCells'
  | 'required'
  | 'unreadable'
  | 'tooManyDecimals'
  | 'negative'
  | 'flag'
  | 'time'
  | 'shortened'
  | 'currency'
  | 'noSuch'
  | 'several'
  | 'twice'
  | 'unknown'
  | 'noPicture'
  | 'pictureAddress'
  | 'noPrice'
  | 'variant'
  | 'noOption'
  | 'stockStays'
  | 'endNeedsCode'
  | 'otherKind'
  | 'notAboveZero'
  | 'zeros'
  | 'withProduct'
  | 'refused';

export interface Problem {
  line: number;
  code: ProblemCode;
  /** The heading of the column whose cell is wrong. */
  column?: string;
  /** The cell as it is in the file, or what else the sentence names. */
  value?: string;
  /** What the service says of a line that it refused, for pages. */
  told?: Told;
}

/** A problem of the service, and the values that its words name. */
export interface Told {
  problem: string;
  values: Record<string, unknown>;
}

/** Why a cell or line cannot be imported. */
export class Unfit extends Error {
  constructor(
    readonly code: ProblemCode,
    readonly value?: string,
    readonly column?: string,
    /** The line, where it is not that which is being read. */
    readonly line?: number,
  ) {
    super(code);
  }
}

const SENTENCES: Record<ProblemCode, (value: string) => string> = {
  quotes: () => 'A quotation mark is not closed.',
  tooManyCells: (value) => `The line has more cells than there are headings: ${value}.`,
  required: () => 'This must be filled in.',
  unreadable: (value) => `${value} is no number.`,
  tooManyDecimals: (value) => `${value} has more decimals than the currency.`,
  negative: (value) => `${value} is below zero.`,
  time: (value) => `${value} is no date or time.`,
  flag: (value) => `${value} is neither yes nor no.`,
  shortened: (value) => `A spreadsheet has shortened this code to ${value}.`,
  currency: (value) => `The amount is in ${value}, and the store's are not.`,
  noSuch: (value) => `There is none named ${value}.`,
  several: (value) => `Several have ${value}.`,
  twice: (value) => `Line ${value} is about the same.`,
  unknown: () => 'No product with this id or code, and no title for a new one.',
  noPicture: () => 'A new product needs the address of a picture.',
  pictureAddress: (value) => `${value} is not the address of a picture.`,
  noPrice: () => 'A new product needs a price.',
  variant: (value) => `${value}: option and value must be in columns of their own, or be written as Size: M.`,
  noOption: () => 'The line of a variant names no option.',
  endNeedsCode: () => 'The sale of a new variant can have an end only if the variant has a sku or barcode.',
  stockStays: () => 'The stock of a variant cannot be emptied.',
  otherKind: (value) => `${value} is no product that is sold here.`,
  notAboveZero: (value) => `${value} is not above zero.`,
  zeros: (value) => `Zeros may have been lost: the store has ${value}.`,
  withProduct: (value) => `Left out with its product; line ${value} is wrong.`,
  refused: (value) => value,
};

/** A problem in plain English. */
export const sentenceOf = ({ code, column, value = '' }: Problem): string =>
  `${column ? `${column}: ` : ''}${SENTENCES[code](value)}`;
