// Writes src/api/generated from the declarations of the compiled service, without starting it: the types of
// all operations and all dashboard routes, and the operations' input schemas, from which forms are made.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = path.resolve(import.meta.dirname, '..');
const FOLDER = path.join(import.meta.dirname, 'src/api/generated');
const compiled = (file) => import(pathToFileURL(path.join(ROOT, 'dist/src', file)).href);

const [{ AppModule }, { loadConfig }, { documentOf }, { ROLES, scopeOf, SCOPES, scopesUpTo }] =
  await Promise.all([
    compiled('app.module.js'),
    compiled('platform/config/config.js'),
    compiled('doors/openapi/documents.service.js'),
    compiled('access/rights.js'),
  ]);
const BASE_URL = 'https://shop.example';
const KEY = Buffer.alloc(32).toString('base64');

/** All controllers of a module and of the modules it imports, from the decorators' own metadata. */
function controllersOf(module, seen = new Set()) {
  const type = module.module ?? module;
  if (typeof type !== 'function' || seen.has(type)) return [];
  seen.add(type);
  const declared = (key) => [...(Reflect.getMetadata(key, type) ?? []), ...(module[key] ?? [])];
  return [
    ...declared('controllers').map((controller) => ({ controller, module: type.name })),
    ...declared('imports').flatMap((imported) => controllersOf(imported, seen)),
  ];
}

const config = loadConfig({ BASE_URL, ENCRYPTION_KEY: KEY, NODE_ENV: 'test' });
const log = { info() {}, warn() {}, error() {}, debug() {}, child: () => log };
const options = {
  config,
  log,
  storeUrl: 'postgres://none',
  systemUrl: 'postgres://none',
  encryptionKeys: [KEY],
};
const controllers = controllersOf(AppModule.with(options));
const operations = documentOf('operations', controllers, BASE_URL);
const dashboard = documentOf('dashboard', controllers, BASE_URL);

/**
 * The TypeScript type of a schema. Our documents use a small part of JSON Schema; this handles all of that
 * part.
 */
function typeOf(schema, prefix) {
  if (schema.$ref) return `${prefix}['${schema.$ref.split('/').at(-1)}']`;
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives && !schema.properties) return union(alternatives.map((one) => typeOf(one, prefix)));
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  if (Array.isArray(schema.type))
    return union(schema.type.map((type) => typeOf({ ...schema, type }, prefix)));
  if (schema.type === 'array')
    return `${schema.items ? typeOf(schema.items, prefix) : 'unknown'}[]`.replace(
      /^(.*\|.*)\[\]$/s,
      '($1)[]',
    );
  if (schema.type === 'integer') return 'number';
  if (schema.type !== 'object') return schema.type ?? 'unknown';
  if (!schema.properties || Object.keys(schema.properties).length === 0) return 'Record<string, unknown>';
  const required = new Set(schema.required);
  const members = Object.entries(schema.properties).map(
    ([name, value]) =>
      `${/^\w+$/.test(name) ? name : JSON.stringify(name)}${required.has(name) ? '' : '?'}: ${typeOf(value, prefix)}`,
  );
  return `{ ${members.join('; ')} }`;
}

const union = (types) => [...new Set(types)].join(' | ');
const named = (document, prefix) =>
  Object.entries(document.components.schemas).map(
    ([name, schema]) => `  ${name}: ${typeOf(schema, prefix)};`,
  );

const resolved = (value, document) =>
  value?.$ref
    ? value.$ref
        .slice(2)
        .split('/')
        .reduce((part, key) => part[key], document)
    : value;

/** The schema of `data` in the response envelope. */
function dataOf(responses, document) {
  const answer = resolved(responses['200'], document);
  const schema = resolved(answer.content?.['application/json']?.schema, document);
  return schema?.properties?.data ?? {};
}

const bodyOf = ({ requestBody }) => requestBody?.content?.['application/json']?.schema;

const operationLines = Object.values(operations.paths).map(({ post }) => {
  const input = bodyOf(post) ? typeOf(bodyOf(post), 'Schemas') : 'Record<string, never>';
  return `  ${post.operationId}: { input: ${input}; output: ${typeOf(dataOf(post.responses, operations), 'Schemas')} };`;
});

const routeLines = Object.entries(dashboard.paths).flatMap(([address, methods]) =>
  Object.entries(methods).map(([method, route]) => {
    const key = `${method.toUpperCase()} ${address.replace('/dashboard/api/', '')}`;
    const parameters = (route.parameters ?? [])
      .map((one) => resolved(one, dashboard))
      .filter((one) => one.in !== 'header');
    const own = parameters.map(
      ({ name, required, schema }) => `${name}${required ? '' : '?'}: ${typeOf(schema, 'RouteSchemas')}`,
    );
    const body = bodyOf(route);
    const input = [`{ ${own.join('; ')} }`, ...(body ? [typeOf(body, 'RouteSchemas')] : [])].join(' & ');
    return `  '${key}': { input: ${input}; output: ${typeOf(dataOf(route.responses, dashboard), 'RouteSchemas')} };`;
  }),
);

/** A schema with its references resolved, and without the parts that forms do not read. */
function whole(schema, document) {
  if (Array.isArray(schema)) return schema.map((one) => whole(one, document));
  if (typeof schema !== 'object' || schema === null) return schema;
  if (schema.$ref) return whole(resolved(schema, document), document);
  const kept = Object.entries(schema).filter(([key]) => key !== 'examples' && key !== 'example');
  return Object.fromEntries(kept.map(([key, value]) => [key, whole(value, document)]));
}

const forms = Object.fromEntries(
  Object.values(operations.paths).map(({ post }) => [
    post.operationId,
    {
      summary: post.summary,
      scope: post['x-scope'],
      ifMatch: post.parameters.some((one) => resolved(one, operations).name === 'If-Match'),
      input: whole(bodyOf(post) ?? { type: 'object', properties: {} }, operations),
    },
  ]),
);
const scopes = Object.fromEntries(Object.entries(forms).map(([name, { scope }]) => [name, scope]));

/**
 * Writes a file only if its content changed. An unchanged file keeps its time, so that nothing made from it
 * is built again.
 */
function write(file, text) {
  const address = path.join(FOLDER, file);
  let present = '';
  try {
    present = readFileSync(address, 'utf8');
  } catch {
    // The file does not exist yet.
  }
  if (present !== text) writeFileSync(address, text);
}

const HEADER = '// Made by web/generate.mjs from the service: do not edit.\n';
mkdirSync(FOLDER, { recursive: true });
write(
  'operations.ts',
  `${HEADER}export interface Schemas {\n${named(operations, 'Schemas').join('\n')}\n}\n\nexport interface Operations {\n${operationLines.join('\n')}\n}\n
/** The least scope that each operation needs. */\nexport const SCOPES = ${JSON.stringify(scopes)} as const;\n`,
);
write(
  'routes.ts',
  `${HEADER}export interface RouteSchemas {\n${named(dashboard, 'RouteSchemas').join('\n')}\n}\n\nexport interface Routes {\n${routeLines.join('\n')}\n}\n`,
);
const rights = (names, held) =>
  JSON.stringify(Object.fromEntries(names.map((name) => [name, scopesUpTo(held(name))])));
write(
  'access.ts',
  `${HEADER}/** What each scope includes, and what each role may do. */\nexport const INCLUDED = ${rights(SCOPES, (scope) => scope)} as const;\nexport const ALLOWED = ${rights(ROLES, scopeOf)} as const;\n`,
);
write('forms.json', JSON.stringify(forms));
// The application's modules may have started timers.
process.exit(0);
