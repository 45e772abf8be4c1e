import { execFileSync } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');

/** What the rule of scripts/lint/library-internals.mjs says of texts, each as a file of src. */
function refusalsOf(texts: Record<string, string>, listed: string): Record<string, string[]> {
  const program = `
    import { readFileSync } from 'node:fs';
    import { Linter } from 'eslint';
    import { parser } from 'typescript-eslint';
    import { libraryInternals, listedUses } from './scripts/lint/library-internals.mjs';
    const rules = { internals: libraryInternals(${listed}) };
    const config = { files: ['**/*.ts', '**/*.mjs'], languageOptions: { parser },
    plugins: { libraries: { rules } }, rules: { 'libraries/internals': 'error' } };
    const refusals = (name, text) => new Linter().verify(text, [config],
    { filename: process.cwd() + '/' + name }).map(({ message }) => message.split(' ')[0]);
    const texts = JSON.parse(readFileSync(0, 'utf8'));
    const files = Object.keys(texts).length > 0 ? texts :
    Object.fromEntries(Object.keys(listedUses()).map((name) => [name, readFileSync(name, 'utf8')]));
    console.log(JSON.stringify({ listed: Object.fromEntries(Object.entries(listedUses()).map(([file,
    names]) => [file, [...names]])), refused: Object.fromEntries(Object.entries(files).map(([name,
    text]) => [name, refusals(name, text)])) }));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: ROOT,
    input: JSON.stringify(texts),
    encoding: 'utf8',
  });
  return JSON.parse(output) as Record<string, string[]>;
}

/** docs/decisions/0009-library-internals.md */
describe('the rule about the insides of libraries', () => {
  it('refuses each way to reach one in a file that is not listed', () => {
    const ways = {
      'a cast': ['(client as unknown as { stream: Socket }).stream', 'stream'],
      'a cast to a type of another file': [
        "import type { Inside } from './inside.js'; (client as unknown as Inside)",
        'Inside',
      ],
      'a cast to a part of such a type': [
        "import { type Inside } from './inside.js'; (client as object as Pick<Inside, 'a'> & Open)",
        'Inside',
      ],
      'a cast to an alias': ['type Inside = { stream: Socket }; (client as unknown as Inside)', 'stream'],
      'a member by its key': ["client['stream']", 'stream'],
      'a private member by its key': ['queue[`_clearTimers`]()', '_clearTimers'],
      'a private member by a key in a variable': ["const KEY = '_connected'", '_connected'],
      'Reflect.get': ["Reflect.get(client, 'stream')", 'Reflect.get'],
      'Reflect.set': ["Reflect.set(client, 'stream', ours)", 'Reflect.set'],
      'Reflect.ownKeys': ['const keys = Reflect.ownKeys', 'Reflect.ownKeys'],
      'Reflect.apply': ["Reflect['apply'](read, socket, [])", 'Reflect.apply'],
      'a private member': ['queue._clearTimers()', '_clearTimers'],
      'a private member by its name': ['const { _connected } = client', '_connected'],
      'a replaced method': ['socket.read = () => null', 'read'],
      'a method replaced by Object.assign': ['Object.assign(runner, { query: gentle })', 'query'],
      'a property replaced in a member': ['Object.assign(client.connection, { stream })', 'stream'],
      'properties replaced in a member': ['Object.assign(client.connection, ours)', 'connection'],
      'the console': ['console.warn = silent', 'warn'],
      metadata: ['Reflect.getMetadata(key, type)', 'Reflect.getMetadata'],
      'a metadata key': ["const GUARDS = '__guards__'", '__guards__'],
      'a symbol': ['log[pino.symbols.streamSym]', 'symbols'],
      'the loader': ['Module._resolveFilename', '_resolveFilename'],
      'a flag of V8': ["setFlagsFromString('--expose-gc')", 'setFlagsFromString'],
      'a prototype': ['Object.setPrototypeOf(request, other)', 'Object.setPrototypeOf'],
      'a method of a prototype': ['Socket.prototype.read = ours', 'read'],
      'the prototype of a class': ['Ours.prototype = Socket', 'prototype'],
      'a file inside a package': [
        "import { Type } from 'class-transformer/cjs/type.js'",
        'class-transformer/cjs/type.js',
      ],
      'a file inside a package, loaded later': ["await import('pg/lib/query.js')", 'pg/lib/query.js'],
      'the type of a file inside a package': [
        "type Query = import('pg/lib/query.js').Query",
        'pg/lib/query.js',
      ],
      'a file inside a package, passed on': ["export * from 'bull/lib/job.js'", 'bull/lib/job.js'],
      'a file by its path': ["require('../node_modules/pg/lib/query')", '../node_modules/pg/lib/query'],
    };
    const texts = Object.entries(ways).map(([way, [text]]) => [`src/${way}.ts`, text]);
    const { refused } = refusalsOf(Object.fromEntries(texts), 'listedUses()') as unknown as {
      refused: Record<string, string[]>;
    };
    const expected = Object.entries(ways).map(([way, [, name]]) => [`src/${way}.ts`, [name]]);
    expect(refused).toEqual(Object.fromEntries(expected));
  });

  it('lets pass what is no part of a library', () => {
    const texts = [
      "import type { Row } from './row.js'; const row = { ...values } as unknown as Row<Of>",
      "headers['content-type'] ?? rows[index][`${name}Line`]",
      'Object.assign(ctx.audit, { target }); Object.assign(this.rows, { total }); Object.assign({}, rows)',
      "import { stringify } from 'csv-stringify/sync'; await import('./inside/file.js')",
      'class Ours { _read() { return this._size } } rulesOf.get(type.prototype)',
    ];
    const { refused } = refusalsOf(Object.fromEntries(texts.map((text, i) => [`src/${i}.ts`, text])), '{}');
    expect(Object.values(refused as unknown as Record<string, string[]>).flat()).toEqual([]);
  });

  it('finds each listed name in its file, so that the list is no longer than what is used', () => {
    const { listed, refused } = refusalsOf({}, '{}') as unknown as Record<string, Record<string, string[]>>;
    expect(Object.keys(listed).length).toBeGreaterThan(10);
    const unused = Object.entries(listed).flatMap(([file, names]) =>
      names.filter((name) => !refused[file].includes(name)).map((name) => `${file}: ${name}`),
    );
    expect(unused).toEqual([]);
  });
});
