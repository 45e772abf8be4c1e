import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { transformFile } from '@swc/core';
import { rolldown } from 'rolldown';
import { NOT_BUNDLED, placesOf } from './image/shipped.mjs';

/** Folders of TypeScript. Each is compiled to a folder of the same name. */
const FOLDERS = ['src', 'migrations'];
/** The programs: the service and its command line. */
const PROGRAMS = { main: 'src/main.js', cli: 'src/cli.js' };
/**
 * The file names of shared chunks: code that several programs, or several parts of one, use. `[name]` is the
 * name of a source file.
 */
const CHUNKS = 'src/[name].[hash].chunk.js';
/** The file that lists the names of a build's chunks. */
const CHUNK_LIST = 'src/chunks.json';
/** The file that lists where the bundled packages are from (scripts/image/shipped.mjs). */
const PACKAGE_LIST = 'src/packages.json';
/** The same options as `nest build` has (nest-cli.json). Nest and TypeORM read the types of decorators. */
const SWC = JSON.parse(readFileSync(path.join(import.meta.dirname, 'swc.json'), 'utf8'));

/**
 * Compiles the service into `output`, one file for each source. Types are not checked; `npm run typecheck`
 * does that. Then each program becomes one file with its chunks, including the packages it uses, because
 * reading thousands of small files takes longer than most commands and is half of a start's time.
 * @throws Error that names the file which does not compile; `output` is then unchanged
 */
export async function compile(root, output) {
  const fresh = path.join(output, `.fresh.${process.pid}`);
  try {
    for (const folder of FOLDERS) mkdirSync(path.join(fresh, folder), { recursive: true });
    for (const name of readdirSync(path.join(root, 'migrations')).filter((name) => name.endsWith('.sql')))
      copyFileSync(path.join(root, 'migrations', name), path.join(fresh, 'migrations', name));
    await Promise.all(
      FOLDERS.flatMap((folder) => sourcesIn(root, folder)).map((file) => compileFile(root, file, fresh)),
    );
    const chunks = await bundlePrograms(fresh);
    writeFileSync(path.join(fresh, CHUNK_LIST), JSON.stringify(chunks));
    keepChunks(output, fresh);
    // Each folder is replaced in one step: no files of deleted sources remain, and nobody starts on half of
    // the files.
    for (const folder of FOLDERS) {
      rmSync(path.join(output, folder), { recursive: true, force: true });
      renameSync(path.join(fresh, folder), path.join(output, folder));
    }
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/**
 * Keeps the chunks of the previous build. A running process loads some chunks only when it first needs them,
 * such as the mail library, and chunks of another build would not fit. Names contain a hash of the content,
 * so they do not collide.
 */
function keepChunks(from, to) {
  const list = path.join(from, CHUNK_LIST);
  const chunks = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
  for (const name of chunks) {
    if (existsSync(path.join(from, name)) && !existsSync(path.join(to, name)))
      linkSync(path.join(from, name), path.join(to, name));
  }
}

const sourcesIn = (root, folder) =>
  readdirSync(path.join(root, folder), { recursive: true })
    .filter((name) => /(?<!\.spec|\.d)\.ts$/.test(name))
    .map((name) => path.join(folder, name));

async function compileFile(root, file, output) {
  const { code, map } = await transformFile(path.join(root, file), {
    ...SWC,
    swcrc: false,
    configFile: false,
  });
  const target = path.join(output, file.replace(/\.ts$/, '.js'));
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, `${code}//# sourceMappingURL=${path.basename(target)}.map\n`);
  writeFileSync(`${target}.map`, map);
}

/** @returns the names of the chunks */
async function bundlePrograms(output) {
  const bundle = await rolldown({
    cwd: output,
    input: PROGRAMS,
    platform: 'node',
    external: NOT_BUNDLED,
    // The whole of fp-ts is imported for a few functions. From its ES modules the bundler takes only those.
    resolve: { alias: { 'fp-ts': 'fp-ts/es6/index.js' } },
    plugins: [SEEN_REQUIRES, keepAddresses(output), IN_LATIN_1],
    // Nest and TypeORM try to load optional packages, and continue without those that are missing.
    onLog: (level, log, report) =>
      log.code === 'UNRESOLVED_IMPORT' || log.code === 'EVAL' ? undefined : report(level, log),
  });
  const { output: files } = await bundle.write({
    dir: output,
    entryFileNames: (chunk) => PROGRAMS[chunk.name],
    chunkFileNames: CHUNKS,
    // Class names are used at runtime: those of migrations are stored in the database.
    keepNames: true,
    // Node keeps the source text of loaded modules in memory, so comments are removed.
    comments: false,
    // Maps a line of a bundle to its source, for node --enable-source-maps and npm run bench:profile.
    sourcemap: true,
    sourcemapExcludeSources: true,
  });
  await bundle.close();
  const modules = files.flatMap(({ moduleIds = [] }) => moduleIds);
  writeFileSync(path.join(output, PACKAGE_LIST), JSON.stringify(placesOf(modules)));
  return files.filter(({ type, isEntry }) => type === 'chunk' && !isEntry).map(({ fileName }) => fileName);
}

/**
 * Preserves the value of `import.meta.url`: a module gets its original address instead of its bundle's. All
 * bundles are in the folder `src` of `output`.
 */
const keepAddresses = (output) => ({
  name: 'keep-addresses',
  transform: {
    filter: { code: 'import.meta.url' },
    handler(code, id) {
      if (!id.startsWith(output)) return null;
      const address = JSON.stringify(`./${path.relative(path.join(output, 'src'), id)}`);
      return {
        code: code.replaceAll('import.meta.url', `new URL(${address}, import.meta.url).href`),
        map: null,
      };
    },
  },
});

const OWN_REQUIRE = /^const require = createRequire\(import\.meta\.url\);/m;

/**
 * A module that creates its own `require` would load a second copy of a bundled package: @nestjs/typeorm
 * would load TypeORM again. Without that line, the bundler resolves the calls.
 */
const SEEN_REQUIRES = {
  name: 'seen-requires',
  transform: {
    filter: { code: OWN_REQUIRE },
    handler: (code) => ({ code: code.replace(OWN_REQUIRE, ''), map: null }),
  },
};

/**
 * Escapes characters outside Latin-1. V8 stores a text with two bytes per character if it contains even one
 * of them. They occur only in strings and patterns, where they can be escaped.
 */
const IN_LATIN_1 = {
  name: 'in-latin-1',
  generateBundle(options, bundle) {
    for (const chunk of Object.values(bundle)) {
      chunk.code &&= chunk.code.replace(
        /[^\0-\xff]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
  },
};
