import Papa from 'papaparse';
import type { Table } from './file/table.js';
import { type Problem, sentenceOf } from './problem.js';

const BEGINS_FORMULA = /(?<=^|[,;\t\r\n])([ "']*)(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** A text that no spreadsheet runs as a formula, as the exports write it. */
const neutralized = (text: string) =>
  /^-?\d+([.,]\d+)?$/.test(text) ? text : text.replace(BEGINS_FORMULA, "$1'");

/**
 * The lines with problems as a file to mend and import again: the same columns, after one that says what is
 * wrong, which an import leaves out.
 * @param say the sentence of a problem, in the reader's language
 */
export function mendedFile(
  table: Table,
  problems: Problem[],
  heading: string,
  say: (problem: Problem) => string = sentenceOf,
): string {
  const byLine = new Map<number, Problem[]>();
  for (const problem of problems) byLine.set(problem.line, [...(byLine.get(problem.line) ?? []), problem]);
  const all = [...table.rows, ...table.unreadable].toSorted((one, other) => one.line - other.line);
  const rows = all.flatMap(({ line, cells }) => {
    const found = byLine.get(line);
    return found ? [[found.map(say).join(' '), ...cells.map((cell) => cell ?? '')].map(neutralized)] : [];
  });
  const head = [heading, ...table.columns.map(({ heading: own }) => own)];
  return `\uFEFF${Papa.unparse([head, ...rows], { newline: '\r\n', delimiter: table.delimiter ?? ',' })}\r\n`;
}
