/**
 * SQL of a product or variant `of` at the time of the call, `$now`: a sale whose end has come is over, also
 * before a job has written so (docs/behaviour.md §13.4).
 */
const isOver = (of: string) => `${of}.sale_until <= $now::timestamptz`;

/** SQL of what is charged during the sale; null if there is none. */
export const salePriceOf = (of: string) => `case when ${isOver(of)} then null else ${of}.sale_price end`;

/** SQL of the end of the sale. */
export const saleUntilOf = (of: string) => `case when ${isOver(of)} then null else ${of}.sale_until end`;

/** SQL of the sale's columns of a row. */
export const saleColumns = (of: string) =>
  `${salePriceOf(of)} as "salePrice", ${saleUntilOf(of)} as "saleUntil"`;

/** SQL of the end of the sale as JSON has times. */
export const saleUntilText = (of: string) =>
  `to_char(${saleUntilOf(of)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** SQL of whether there is a sale. */
export const hasSale = (of: string) => `(${of}.sale_price is not null and (${isOver(of)}) is not true)`;
