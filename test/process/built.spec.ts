import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { preparedDatabase } from '../support/database/own-database.js';
import { eventually } from '../support/eventually.js';
import { ServiceProcess } from '../support/servers/service-process.js';

const BUILT = path.resolve(__dirname, '../../dist/src');
/**
 * Prints the packages whose files a process has loaded one by one, beside those in its own file and its
 * chunks.
 */
const LOADED = `
import Module from 'node:module';
process.on('SIGUSR2', () => {
  const names = Object.keys(Module._cache).map((file) =>
  /.*node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(file)?.[1] ?? file);
  console.log('loaded ' + JSON.stringify([...new Set(names)]) + ' in all');
});`;

/** What a start costs, and the memory of a process, depend on it (scripts/compile.mjs). */
describe('the built service', () => {
  it('contains its packages, and loads no second copy of one from its files', async () => {
    const { ownerUrl } = await preparedDatabase();
    const service = await ServiceProcess.start(
      { DATABASE_URL: ownerUrl, ENCRYPTION_KEY: process.env.TEST_ENCRYPTION_KEY! },
      ['--import', `data:text/javascript,${encodeURIComponent(LOADED)}`],
    );
    try {
      service.child.kill('SIGUSR2');
      await eventually('it has named all', () => service.output.includes(' in all'));
    } finally {
      await service.stop();
    }
    const [, list] = /^loaded (.*) in all$/m.exec(service.output)!;
    const outside = (JSON.parse(list) as string[]).filter(
      (name) => !/^(pg|postgres|@node-rs\/argon2|xtend$)/.test(name),
    );
    expect(outside).toEqual([]);
  });

  it('loads at its start nothing that only some installations need', () => {
    // Chunks of the previous build have no map.
    const serve = readdirSync(BUILT).find(
      (name) => /^serve\..+\.chunk\.js$/.test(name) && existsSync(path.join(BUILT, `${name}.map`)),
    )!;
    const loaded = [...withImports(serve)].flatMap(sourcesOf);
    expect(loaded).toEqual(
      expect.arrayContaining(['express/lib/express.js', 'typeorm/driver/postgres/PostgresDriver.js']),
    );
    const seldom = /^(bull|ioredis|nodemailer|oidc-provider|s3mini|@opentelemetry\/(?!api\/))/;
    expect(loaded.filter((file) => seldom.test(file))).toEqual([]);
  });

  it('contains only characters that V8 stores as one byte each', () => {
    const programs = readdirSync(BUILT).filter((name) => /^(main|cli|.*\.chunk)\.js$/.test(name));
    expect(programs).toEqual(
      expect.arrayContaining(['main.js', 'cli.js', expect.stringMatching(/^app\.module\..+\.chunk\.js$/)]),
    );
    const wide = programs.filter((name) => /[^\0-\xff]/.test(readFileSync(path.join(BUILT, name), 'utf8')));
    expect(wide).toEqual([]);
  });
});

/** The file with all files that are loaded together with it. */
function withImports(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const code = readFileSync(path.join(BUILT, file), 'utf8');
  for (const [, name] of code.matchAll(/^import .*"\.\/(.+)";$/gm)) withImports(name!, found);
  return found;
}

/** The files of packages that a file of the build is made of. */
function sourcesOf(file: string): string[] {
  // The bundler's own helpers have no sources.
  if (!existsSync(path.join(BUILT, `${file}.map`))) return [];
  const { sources } = JSON.parse(readFileSync(path.join(BUILT, `${file}.map`), 'utf8')) as {
    sources: string[];
  };
  return sources.flatMap((source) => /^.*node_modules\/(.*)/.exec(source)?.[1] ?? []);
}
