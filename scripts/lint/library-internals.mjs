// A rule for ESLint: a part of a library that it does not declare is used only where decision 0009 lists it.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
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

const nameOf = (key) =>
  key?.name ?? key?.value ?? (key?.quasis?.length === 1 ? key.quasis[0].value.cooked : undefined);
const namesOf = (members) => members.map(({ key }) => nameOf(key)).filter(Boolean);
const isFunction = ({ type }) => type === 'FunctionExpression' || type === 'ArrowFunctionExpression';
/** A field of MCP, a property of every object, and what we set on a request or its call: no library's. */
const PUBLIC = new Set(['_meta', '__proto__', 'admit', 'recharge', 'identify']);
const isPrivate = (name) => typeof name === 'string' && /^_[a-zA-Z]\w*$/.test(name) && !PUBLIC.has(name);
const isMetadataKey = (name) => typeof name === 'string' && /^__[a-zA-Z]+__$/.test(name) && !PUBLIC.has(name);
const isRelative = ({ value }) => value.startsWith('.');
const REACHING =
  /^(Object\.(setPrototypeOf|defineProperty|defineProperties|getOwnPropertySymbols)|Symbol\.for|Reflect\.\w+)$/;
const INNER_FILE = /^(@[\w-]+\/)?[\w-]+\/.+\.[cm]?js$|\bnode_modules\//;
const innerFile = (source) => (INNER_FILE.test(source?.value) ? [source.value] : []);

/** The parts that a type names; a type of another file of ours by its own name. */
function partsOf(type, program) {
  if (type.type === 'TSTypeLiteral') return namesOf(type.members);
  if (type.type === 'TSInterfaceDeclaration') return namesOf(type.body.body);
  if (type.type === 'TSTypeAliasDeclaration') return partsOf(type.typeAnnotation, program);
  if (type.types) return type.types.flatMap((one) => partsOf(one, program));
  const name = type.typeName?.name;
  if (type.typeArguments) {
    // A type with arguments of ours is made of those; `Pick<Inside, 'part'>` is a part of a library.
    return isImported(program, name) ? [] : type.typeArguments.params.flatMap((one) => partsOf(one, program));
  }
  if (isImported(program, name)) return [name];
  const own = program.body
    .map((statement) => statement.declaration ?? statement)
    .find(({ type, id }) => /^TS(Interface|TypeAlias)Declaration$/.test(type) && id.name === name);
  return own ? partsOf(own, program) : [];
}

const isImported = (program, name) =>
  program.body.some(
    ({ type, source, specifiers }) =>
      type === 'ImportDeclaration' &&
      isRelative(source) &&
      specifiers.some(({ local }) => local.name === name),
  );

/** What stands at the beginning of `a.b.c`. */
const rootOf = (node) => ((node.object ?? node.expression) ? rootOf(node.object ?? node.expression) : node);

/** The names of the parts of a library that a node reaches, by the ways there are. */
const WAYS = {
  /** `library as unknown as { part: Type }`, also with the name of such a type. */
  TSAsExpression({ expression, typeAnnotation }, program) {
    if (!/^TS(Unknown|Any|Never|Object)Keyword$/.test(expression.typeAnnotation?.type)) return [];
    if (typeAnnotation.type === 'TSFunctionType')
      return [nameOf(expression.expression.callee?.object?.property)];
    return partsOf(typeAnnotation, program);
  },
  /** `library.method = () => …`, and anything in a prototype */
  AssignmentExpression({ left, right }) {
    if (left.type !== 'MemberExpression') return [];
    const name = nameOf(left.property);
    if ([name, nameOf(left.object.property)].some((one) => one === 'prototype')) return [name];
    if (left.object.type === 'ThisExpression' || PUBLIC.has(name)) return [];
    return isFunction(right) || nameOf(left.object) === 'console' ? [name] : [];
  },
  CallExpression({ callee, arguments: [first, second] }) {
    const name = nameOf(callee);
    if (name === 'setFlagsFromString') return [name];
    if (name === 'require') return innerFile(first);
    if (nameOf(callee.object) !== 'Object' || nameOf(callee.property) !== 'assign') return [];
    // Objects of ours are changed by their properties; a handler fills its context.
    const isOurs =
      first.type === 'ObjectExpression' ||
      (rootOf(first) !== first && ['this', 'ctx'].includes(rootOf(first).name ?? 'this'));
    if (isOurs) return [];
    if (second?.type === 'ObjectExpression') return namesOf(second.properties);
    return first.type === 'MemberExpression' ? [nameOf(first.property)] : [];
  },
  /** `library._member`, `library['member']`, and functions that reach any */
  MemberExpression({ object, property, computed }) {
    const name = nameOf(property);
    const whole = `${nameOf(object)}.${name}`;
    if (REACHING.test(whole)) return [whole];
    if (object.type === 'ThisExpression' || (computed && property.type === 'Identifier')) return [];
    return isPrivate(name) || (computed && typeof name === 'string' && /^[a-z]\w*$/i.test(name))
      ? [name]
      : [];
  },
  /** `const { _member } = library` */
  ObjectPattern: ({ properties }) => namesOf(properties).filter(isPrivate),
  /** `pino.symbols`, and metadata by its key */
  Identifier: ({ name }) => (name === 'symbols' || isMetadataKey(name) ? [name] : []),
  /** Names that are looked up by a variable. */
  Literal: ({ value, parent }) =>
    isMetadataKey(value) || (isPrivate(value) && parent.type !== 'MemberExpression') ? [value] : [],
  /** A file inside a package. */
  ...Object.fromEntries(
    ['ImportDeclaration', 'ImportExpression', 'ExportNamedDeclaration', 'ExportAllDeclaration'].map(
      (type) => [type, ({ source }) => innerFile(source)],
    ),
  ),
  TSImportType: ({ source }) => innerFile(source),
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
