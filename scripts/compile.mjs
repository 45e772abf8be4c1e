import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { transformFile } from '@swc/core';
import { rolldown } from 'rolldown';

/** Folders of TypeScript, each compiled to one of the same name. */
const FOLDERS = ['src', 'migrations'];
const CLI = 'src/cli.js';
/** The command line's own copy of what several of its commands use, beside the files of the service. */
const CHUNKS = 'src/cli-chunks/[name].js';
/** What cannot be copied: argon2 is native code, pg is what TypeORM looks up by a name that it puts together. */
const NOT_COPIED = ['@node-rs/argon2', 'pg'];

const SWC = {
  swcrc: false,
  configFile: false,
  sourceMaps: true,
  module: { type: 'es6' },
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    // Nest and TypeORM read the types that decorators write down.
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
};

/**
 * Compiles the service into `output`, a file for a file; types are not looked at, that is `npm run typecheck`. The command line
 * becomes one file and its chunks, with the packages it uses inside: reading a thousand small files takes longer than most commands.
 * @throws Error that names the file which does not compile; `output` is then as it was
 */
export async function compile(root, output) {
  const fresh = path.join(output, `.fresh.${process.pid}`);
  try {
    for (const folder of FOLDERS) mkdirSync(path.join(fresh, folder), { recursive: true });
    await Promise.all(FOLDERS.flatMap((folder) => sourcesIn(root, folder)).map((file) => compileFile(root, file, fresh)));
    await bundleCli(fresh);
    // In one step each: without files of sources that are gone, and nobody starts on half of them.
    for (const folder of FOLDERS) {
      rmSync(path.join(output, folder), { recursive: true, force: true });
      renameSync(path.join(fresh, folder), path.join(output, folder));
    }
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

const sourcesIn = (root, folder) =>
  readdirSync(path.join(root, folder), { recursive: true })
    .filter((name) => /(?<!\.spec|\.d)\.ts$/.test(name))
    .map((name) => path.join(folder, name));

async function compileFile(root, file, output) {
  const { code, map } = await transformFile(path.join(root, file), SWC);
  const target = path.join(output, file.replace(/\.ts$/, '.js'));
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, `${code}//# sourceMappingURL=${path.basename(target)}.map\n`);
  writeFileSync(`${target}.map`, map);
}

async function bundleCli(output) {
  const bundle = await rolldown({
    cwd: output,
    input: CLI,
    platform: 'node',
    external: NOT_COPIED,
    // Nest and TypeORM try for packages that are not there, and go on without.
    onLog: (level, log, report) => (log.code === 'UNRESOLVED_IMPORT' || log.code === 'EVAL' ? undefined : report(level, log)),
  });
  // Names of classes are read: those of migrations are in the database.
  await bundle.write({ dir: output, entryFileNames: CLI, chunkFileNames: CHUNKS, keepNames: true });
  await bundle.close();
  rmSync(path.join(output, `${CLI}.map`));
}
