import type { Table } from '../file/table.js';
import type { Problem } from '../problem.js';
import { draftOf } from '../reading/drafts.js';
import { grouped } from '../reading/groups.js';
import { Columns, Line, type Settings } from '../reading/line.js';
import { leftOut, type Mapping } from '../reading/mapping.js';
import { headingOf } from '../reading/wrong-cells.js';
import { changesOf } from './changes.js';
import { type Plan, problemOf } from './plan.js';
import { References } from './references.js';
import { Catalog, type Stored } from './stored.js';

/** Compares a file with what is stored, and says what an import would do. Nothing is changed. */
export function planOf(table: Table, mapping: Mapping, stored: Stored, settings: Settings): Plan {
  const columns = new Columns(table, mapping, settings);
  const catalog = new Catalog(stored);
  const references = new References(stored);
  const lines = table.rows.map((row) => new Line(row, columns));
  const { groups, sections, problems } = grouped(lines, catalog);
  const plan: Plan = {
    ...{ products: [], doubts: columns.doubts, leftOut: leftOut(table, mapping) },
    problems: [...table.problems, ...problems.map(({ line, error }) => problemOf(line.line, error))],
    steps: { created: [], variants: [], products: [], prices: [], stocks: [] },
    missing: { brands: [], categories: [] },
    ...{ asksZeros: false, asksPictureBase: false, asksPicture: false },
    counts: { all: 0, new: 0, changed: 0, unchanged: 0, leftOut: 0, sections: sections.length },
  };
  for (const group of groups) changesOf(draftOf(group, catalog), { plan, references, settings });
  plan.missing = references.made;
  for (const problem of plan.problems)
    if (problem.column !== undefined) problem.column = headingOf(table, mapping, problem.column);
  return finished(plan, table);
}

function finished(plan: Plan, { rows, problems }: Table): Plan {
  plan.problems.sort((one, other) => one.line - other.line);
  const has = (code: Problem['code']) => plan.problems.some((problem) => problem.code === code);
  plan.asksZeros = has('zeros');
  plan.asksPictureBase = has('pictureAddress');
  plan.asksPicture = has('noPicture');
  const wrong = new Set(plan.problems.map(({ line }) => line));
  const touched = new Set(plan.products.flatMap(({ differences }) => differences.map(({ line }) => line)));
  const { counts } = plan;
  for (const { lines, verdict } of plan.products) {
    for (const line of lines) {
      if (wrong.has(line)) continue;
      if (verdict === 'changed') counts[touched.has(line) ? 'changed' : 'unchanged'] += 1;
      else counts[verdict] += 1;
    }
  }
  counts.leftOut += wrong.size;
  counts.all = rows.length + new Set(problems.map(({ line }) => line)).size;
  return plan;
}
