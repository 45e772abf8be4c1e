// A rule for ESLint: types do not see that two texts, or two ids, were swapped. Their names do: each would
// fit better where the other stands, in an object or in SQL.
import { parser } from 'typescript-eslint';

const wordsOf = (name) =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
    .map((word) => word.replace(/s$/, ''));

/** How well a name fits its place: a point for each word in common, one more if all of them are. */
function fit([place, name]) {
  const [words, others] = [wordsOf(place), wordsOf(name)];
  const isSame = words.join() === others.join();
  return words.filter((word) => others.includes(word)).length + (isSame ? 1 : 0);
}

/**
 * @param pairs places with the names that stand there
 * @returns those that would fit better the other way round
 */
const swappedOf = (pairs) =>
  pairs.flatMap((one, i) =>
    pairs.slice(0, i).flatMap((other) => {
      const turned = fit([one[0], other[1]]) + fit([other[0], one[1]]);
      return turned > fit(one) + fit(other) ? [`${other[0]}: ${other[1]} and ${one[0]}: ${one[1]}`] : [];
    }),
  );

/** The name of `name`, `object.name`, `name ?? …` and `name!`. */
function nameOf({ type, name, property, computed, left, expression }) {
  if (type === 'MemberExpression') return computed ? undefined : property.name;
  return name ?? ((left ?? expression) ? nameOf(left ?? expression) : undefined);
}

const namesIn = ({ properties }) =>
  properties
    .filter(({ type, computed }) => type === 'Property' && !computed)
    .map(({ key, value }) => [key.name ?? String(key.value), nameOf(value)])
    .filter(([, name]) => name !== undefined);

const LIST_ENDS = /^\s(from|where|on conflict|returning)\b/;

/** The list that begins at a place of a text: `a, f(b, c)` of `(a, f(b, c))` and `select a, f(b, c) from`. */
function listAt(sql, start) {
  const items = [''];
  let depth = 0;
  for (let i = start; i < sql.length; i++) {
    depth += { '(': 1, ')': -1 }[sql[i]] ?? 0;
    if (depth < 0 || (depth === 0 && LIST_ENDS.test(sql.slice(i, i + 13)))) break;
    if (depth === 0 && sql[i] === ',') items.push('');
    else items[items.length - 1] += sql[i];
  }
  return items;
}

const COMPARED = /\b(\w+)\s*(?:=|<>|[<>]=?|is (?:not )?distinct from)\s*(?:any ?\()?(\$[a-z]\w*)/gi;
const INSERTED = /\binsert into \w+(?: as \w+)?\s*\(/g;
const UNNESTED = /\bunnest\(([^()]*)\) (?:with ordinality )?(?:as )?\w+ ?\(([^()]*)\)/g;

/** The columns of a text with the parameters that are compared with, set or inserted as them. */
function parametersIn(sql) {
  const lists = [...sql.matchAll(UNNESTED)].map(([, values, columns]) => [
    listAt(columns, 0),
    listAt(values, 0),
  ]);
  for (const { 0: head, index } of sql.matchAll(INSERTED)) {
    const columns = listAt(sql, index + head.length);
    const end = index + head.length + columns.join().length + 1;
    const [select] = /^\s*(values\s*\(|select\s)/.exec(sql.slice(end)) ?? [];
    if (select) lists.push([columns, listAt(sql, end + select.length)]);
  }
  const listed = lists
    .filter(([columns, values]) => columns.length === values.length)
    .flatMap(([columns, values]) =>
      columns.map((column, i) => [column.trim(), ...new Set(values[i].match(/\$[a-z]\w*/gi))]),
    );
  const compared = [...sql.matchAll(COMPARED)].map(([, column, parameter]) => [column, parameter]);
  return [...compared, ...listed]
    .filter(({ length, 1: parameter }) => length === 2 && parameter !== '$store')
    .map(([column, parameter]) => [column, parameter.slice(1)]);
}

const swappedNames = {
  create(context) {
    const report = (pairsOf) => (node) => {
      for (const pair of new Set(swappedOf(pairsOf(node))))
        context.report({ node, message: `${pair}: they seem to be swapped` });
    };
    return {
      ObjectExpression: report(namesIn),
      ObjectPattern: report(namesIn),
      TemplateLiteral: report(({ quasis }) => parametersIn(quasis.map(({ value }) => value.raw).join('?'))),
      Literal: report(({ value }) => (typeof value === 'string' ? parametersIn(value) : [])),
    };
  },
};

export default [
  {
    files: ['src/**/*.ts', 'web/dashboard/**/*.{ts,tsx}', 'test/**/*.ts'],
    ignores: ['**/generated/', '**/*.generated.ts', '**/swapped-names.spec.ts'],
    languageOptions: { parser },
    plugins: { names: { rules: { swapped: swappedNames } } },
    rules: { 'names/swapped': 'error' },
  },
];
