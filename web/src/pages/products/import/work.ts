import type { ItemOf, ManyName } from '../../../api/batches';
import type { Field } from './cells';

/** An item of a call, and the line of the file from which it is. */
export interface Work<Name extends ManyName> {
  line: number;
  /** The lines of what is made together with it. */
  others?: number[];
  item: ItemOf<Name>;
}

export interface Difference {
  line: number;
  name: string;
  field: Field | null;
  before: string;
  after: string;
}

export interface Plan {
  differences: Difference[];
  problems: { line: number; text: string }[];
  /** In the order in which they are carried out. */
  created: Work<'create_products'>[];
  products: Work<'update_products'>[];
  prices: Work<'update_prices'>[];
  stocks: Work<'update_stocks'>[];
}
