// A rule for ESLint: a part of a library that it does not declare is used only where decision 0009 lists it.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
const DECISION = 'docs/decisions/0009-library-internals.md';

/** @returns the names that the decision lists for each file: ``| `src/a.ts` | library | `name`, … |`` */
export function listedUses() {
  const rows = readFileSync(path.join(ROOT, DECISION), 'utf8').matchAll(
    /^\| `([\w/.-]+)` +\|[^|]*\|([^|]*)\|/gm,
  );
  const listed = {};
  for (const [, file, what] of rows) {
    listed[file] ??= new Set();
    for (const [, name] of what.matchAll(/`([^`]+)`/g)) listed[file].add(name);
  }
  return listed;
}

const nameOf = (key) => key?.name ?? key?.value;
const namesOf = (members) => members.map(({ key }) => nameOf(key)).filter(Boolean);
const isFunction = ({ type }) => type === 'FunctionExpression' || type === 'ArrowFunctionExpression';
/** A field of MCP, a property of every object, and what our guard sets on a request: no library's. */
const PUBLIC = new Set(['_meta', '__proto__', 'admit']);
const isPrivate = (name) => typeof name === 'string' && /^_[a-zA-Z]/.test(name) && !PUBLIC.has(name);
const isMetadataKey = (name) => typeof name === 'string' && /^__[a-zA-Z]+__$/.test(name) && !PUBLIC.has(name);
const REACHING =
  /^(Object\.(setPrototypeOf|defineProperty|defineProperties|getOwnPropertySymbols)|Symbol\.for)$/;
const METADATA = /^Reflect\.(get|has|define)(Own)?Metadata(Keys)?$/;

/** The names of the parts of a library that a node reaches, by the ways there are. */
const WAYS = {
  /** `library as unknown as { part: Type }`, with a type of this file's own. */
  TSAsExpression({ expression, typeAnnotation }, program) {
    if (expression.type !== 'TSAsExpression' || expression.typeAnnotation.type !== 'TSUnknownKeyword')
      return [];
    if (typeAnnotation.type === 'TSFunctionType')
      return [nameOf(expression.expression.callee?.object?.property)];
    if (typeAnnotation.type === 'TSTypeLiteral') return namesOf(typeAnnotation.members);
    const own = program.body
      .map((statement) => statement.declaration ?? statement)
      .find(({ type, id }) => type === 'TSInterfaceDeclaration' && id.name === typeAnnotation.typeName?.name);
    return own ? namesOf(own.body.body) : [];
  },
  /** `library.method = () => …` */
  AssignmentExpression({ left, right }) {
    const isOther = left.type === 'MemberExpression' && left.object.type !== 'ThisExpression';
    if (!isOther || PUBLIC.has(nameOf(left.property))) return [];
    return isFunction(right) || nameOf(left.object) === 'console' ? [nameOf(left.property)] : [];
  },
  CallExpression({ callee, arguments: [first, second] }) {
    const name =
      callee.type === 'MemberExpression'
        ? `${nameOf(callee.object)}.${nameOf(callee.property)}`
        : nameOf(callee);
    if (REACHING.test(name) || METADATA.test(name) || name === 'setFlagsFromString') return [name];
    if (name !== 'Object.assign' || second?.type !== 'ObjectExpression') return [];
    // An object of ours that stands in a variable is changed by its properties.
    return ['Identifier', 'NewExpression', 'CallExpression'].includes(first.type)
      ? namesOf(second.properties)
      : [];
  },
  /** `library._member` */
  MemberExpression: ({ object, property, computed }) =>
    !computed && object.type !== 'ThisExpression' && isPrivate(property.name) ? [property.name] : [],
  /** `const { _member } = library` */
  ObjectPattern: ({ properties }) => namesOf(properties).filter(isPrivate),
  /** `pino.symbols`, and metadata by its key */
  Identifier: ({ name }) => (name === 'symbols' || isMetadataKey(name) ? [name] : []),
  Literal: ({ value }) => (isMetadataKey(value) ? [value] : []),
  /** A file inside a package. */
  ImportDeclaration: ({ source: { value } }) => (/^(@[\w-]+\/)?[\w-]+\/.+\.js$/.test(value) ? [value] : []),
};

/** @param listed as `listedUses` returns it; what it does not contain is reported */
export const libraryInternals = (listed = listedUses()) => ({
  create(context) {
    const file = path.relative(ROOT, context.filename).split(path.sep).join('/');
    const report = (node) => {
      for (const name of WAYS[node.type](node, context.sourceCode.ast)) {
        if (!listed[file]?.has(name))
          context.report({
            node,
            message: `${name} is inside a library: list it in ${DECISION}, or do without`,
          });
      }
    };
    return Object.fromEntries(Object.keys(WAYS).map((type) => [type, report]));
  },
});
