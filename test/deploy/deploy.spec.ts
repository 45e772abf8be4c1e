import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { parse, parseAllDocuments } from 'yaml';
import { MIGRATIONS } from '../../migrations/all.js';
import { loadConfig, VARIABLES } from '../../src/platform/config/config.js';
import { servicePasswordIn } from '../../src/platform/config/database-url.js';
import { prepareDatabase } from '../../src/platform/database/installation/migrate.js';
import { emptyDatabase } from '../support/database/own-database.js';

const ROOT = path.resolve(__dirname, '../..');
const DEPLOY = path.join(ROOT, 'deploy');
const read = (file: string) => readFileSync(path.join(DEPLOY, file), 'utf8');
const PASSWORD = 'abcdef0123456789';
/** Only the database itself, and what migrates it and backs it up, may have it. */
const OWNER_PASSWORD = 'fedcba9876543210';
const KEY = Buffer.alloc(32, 1).toString('base64');

/** Also those of scripts/scheduled-backup.sh. */
const KNOWN: readonly string[] = [...VARIABLES, 'BACKUPS', 'BACKUPS_DAYS'];

/** As `docker compose` fills in `${NAME}`, `${NAME:-default}` and `${NAME:?why}`. */
const filledIn = (text: string, env: Record<string, string>) =>
  text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, rest?: string) => {
    if (env[name] === undefined && kind === '?') throw new Error(`${name}: ${rest}`);
    return env[name] ?? (kind === '-' ? rest! : '');
  });

interface ComposeService {
  image: string;
  build?: { args: Record<string, string> };
  environment?: Record<string, string | number>;
  volumes?: string[];
  depends_on?: Record<string, unknown> | string[];
  read_only?: boolean;
  deploy?: { replicas: number };
  command?: string[];
  secrets?: string[];
}

describe('deploy/compose', () => {
  const env = {
    BASE_URL: 'https://shop.example.com',
    POSTGRES_PASSWORD: OWNER_PASSWORD,
    SERVICE_PASSWORD: PASSWORD,
    PGBOUNCER_PASSWORD: PASSWORD,
    ENCRYPTION_KEY: KEY,
    GRAFANA_PASSWORD: PASSWORD,
  };
  const { services, volumes, secrets } = parse(filledIn(read('compose/compose.yml'), env), {
    merge: true,
  }) as {
    services: Record<string, ComposeService>;
    volumes: Record<string, unknown>;
    secrets: Record<string, { environment: string }>;
  };
  const ours = Object.entries(services).filter(([, { image }]) => image.startsWith('shop-administration'));

  it('requires every value without a default, and its example names all of them', () => {
    for (const name of Object.keys(env)) {
      const rest = Object.fromEntries(Object.entries(env).filter(([other]) => other !== name));
      expect(() => filledIn(read('compose/compose.yml'), rest)).toThrow(name);
      expect(read('compose/env.example')).toMatch(new RegExp(`^${name}=`, 'm'));
    }
  });

  it('gives the service a valid configuration: two serve, one delivers, one migrates, one backs up', () => {
    const roles = Object.fromEntries(
      ours.map(([name, { environment }]) => [name, environment!.SHOP_ROLES ?? 'both']),
    );
    expect(roles).toEqual({ migrate: 'both', web: 'web', deliverer: 'deliver', backup: 'both' });
    expect(services.web.deploy!.replicas).toBe(2);
    for (const [name, { environment, read_only }] of ours) {
      const unknown = Object.keys(environment!).filter((variable) => !KNOWN.includes(variable));
      expect([name, unknown, read_only]).toEqual([name, [], true]);
      const given = Object.fromEntries(
        Object.entries(environment!).map(([variable, value]) => [variable, String(value ?? '')]),
      );
      expect(loadConfig(given)).toMatchObject({ nodeEnv: 'production', metricsPort: 9464 });
    }
  });

  it('tells the image the commit it is built of, so that two builds of one version can be told apart', () => {
    const built = parse(filledIn(read('compose/compose.yml'), { ...env, COMMIT: 'abc' }), {
      merge: true,
    }) as {
      services: Record<string, ComposeService>;
    };
    for (const [name] of ours) expect(built.services[name].build!.args).toEqual({ COMMIT: 'abc' });
    expect(read('../Dockerfile')).toMatch(/^ARG COMMIT$/m);
  });

  it("gives the tables' owner's password only to the database, and what migrates it and backs it up", () => {
    const holders = Object.entries(services).filter(([, service]) =>
      JSON.stringify(service).includes(OWNER_PASSWORD),
    );
    expect(holders.map(([name]) => name)).toEqual(['migrate', 'backup', 'postgres']);
    for (const name of ['web', 'deliverer'])
      expect(servicePasswordIn(String(services[name].environment!.DATABASE_DIRECT_URL))).toBe(PASSWORD);
  });

  it('mounts files that are there, and depends on services and volumes that are there', () => {
    for (const [name, { volumes: mounts = [], depends_on = [] }] of Object.entries(services)) {
      const needed = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
      expect([name, needed.filter((other) => !services[other])]).toEqual([name, []]);
      const missing = mounts
        .map((mount) => mount.split(':')[0])
        .filter((source) =>
          source.startsWith('.') ? !existsSync(path.join(DEPLOY, 'compose', source)) : !(source in volumes),
        );
      expect([name, missing]).toEqual([name, []]);
    }
  });

  it('lets Prometheus ask each process of the service', () => {
    const { scrape_configs: jobs } = parse(read('prometheus/prometheus.yml')) as {
      scrape_configs: { job_name: string; dns_sd_configs: { names: string[]; port: number }[] }[];
    };
    expect(jobs[0]).toMatchObject({
      job_name: 'shop',
      dns_sd_configs: [{ names: ['web', 'deliverer'], port: 9464 }],
    });
  });

  it('has alerts sent to a service that is there, whose secrets the example names', () => {
    const { alerting } = parse(read('prometheus/prometheus.yml')) as {
      alerting: { alertmanagers: { static_configs: { targets: string[] }[] }[] };
    };
    const [target] = alerting.alertmanagers[0].static_configs[0].targets;
    expect(services[target.split(':')[0]].secrets).toEqual(Object.keys(secrets));
    for (const { environment } of Object.values(secrets))
      expect(read('compose/env.example')).toMatch(new RegExp(`^${environment}=`, 'm'));
    const [, file] = /auth_password_file: (\S+)/.exec(read('prometheus/alertmanager.yml'))!;
    expect(path.basename(file) in secrets).toBe(true);
  });

  const programs: [string, string, string[]][] = [
    ['promtool', 'prometheus/prometheus.yml', ['promtool', 'check', 'config', '--syntax-only']],
    ['amtool', 'prometheus/alertmanager.yml', ['amtool', 'check-config']],
    ['sh', 'compose/pgbouncer.sh', ['sh', '-n']],
    ['sh', 'compose/pgbouncer-role.sh', ['sh', '-n']],
  ];
  it.each(programs)('has a configuration that %s takes: %s', (program, file, [command, ...args]) => {
    const { status, error, stderr } = spawnSync(command, [...args, path.join(DEPLOY, file)], {
      encoding: 'utf8',
      env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
    });
    if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') {
      console.warn(`${program} is not installed: ${file} is not checked`);
      return;
    }
    expect([status, stderr]).toEqual([0, expect.any(String)]);
  });

  it('names every image of others by an exact version, as do the other files', () => {
    const files = ['compose/compose.yml', '../docker-compose.yml', '../Dockerfile'].concat(
      readdirSync(path.join(DEPLOY, 'kubernetes')).map((file) => `kubernetes/${file}`),
    );
    const images = files.flatMap((file) =>
      [...read(file).matchAll(/(?:image(?:Name)?:|^FROM) (\S+)/gm)].map(([, image]) => image),
    );
    const others = images.filter((image) => !image.startsWith('shop-administration'));
    expect(others.length).toBeGreaterThan(8);
    expect(others.filter((image) => !/:v?\d+\.\d+(\.\d+)?(-[\w.-]+)?$/.test(image))).toEqual([]);
  });

  it('lets PgBouncer ask for passwords, and nobody else', async () => {
    const ownerUrl = await emptyDatabase();
    const owner = new pg.Client({ connectionString: ownerUrl });
    await owner.connect();
    const { pathname } = new URL(ownerUrl);
    // Roles are the server's: this one has another name than in the deployment.
    const role = `pgbouncer_${process.pid}`;
    const [, sql] = /<<'SQL'\n(.*)\nSQL\n/s.exec(read('compose/pgbouncer-role.sh'))!;
    await owner.query(
      sql.replaceAll(`:'password'`, `'${PASSWORD}'`).replace(/\b(role|to) pgbouncer\b/g, `$1 ${role}`),
    );
    const urls = await prepareDatabase(ownerUrl, [KEY], MIGRATIONS);

    const as = async (url: string, text: string) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      return client
        .query<Record<string, string>>(text)
        .then(
          ({ rows }) => rows,
          (error: { code: string }) => error.code,
        )
        .finally(() => client.end());
    };
    const bouncer = new URL(ownerUrl);
    bouncer.username = role;
    bouncer.password = PASSWORD;
    const store = new URL(urls.store).username;
    const ask = `select usename, passwd from pgbouncer.password('${store}')`;
    expect(read('compose/pgbouncer.ini')).toContain(
      'auth_query = select usename, passwd from pgbouncer.password($1)',
    );
    expect(await as(bouncer.href, ask)).toEqual([
      { usename: store, passwd: expect.stringMatching(/^SCRAM-SHA-256\$/) },
    ]);
    expect(await as(bouncer.href, 'select passwd from pg_shadow')).toBe('42501');
    expect(await as(bouncer.href, 'select * from stores')).toBe('42501');
    for (const url of [urls.store, urls.system]) expect(await as(url, ask)).toBe('42501');
    await owner.query(`drop owned by ${role}`);
    await owner.query(`drop role ${role}`);
    await owner.end();
    expect(pathname).not.toBe('');
  });
});

describe('deploy/kubernetes', () => {
  const check = (folder: string) =>
    spawnSync(process.execPath, [path.join(ROOT, 'scripts/check-manifests.mjs'), folder], {
      encoding: 'utf8',
    });
  const manifests = readdirSync(path.join(DEPLOY, 'kubernetes')).flatMap((file) =>
    parseAllDocuments(read(`kubernetes/${file}`)).map((document) => document.toJS() as Manifest),
  );
  const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);

  it('fits the schemas of Kubernetes and of CloudNativePG', () => {
    expect(check(path.join(DEPLOY, 'kubernetes'))).toMatchObject({
      status: 0,
      stderr: '',
      stdout: '22 manifests, 0 problems\n',
    });
  });

  it('fails this check if a manifest is wrong', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'shop-manifests-'));
    cpSync(path.join(DEPLOY, 'kubernetes'), folder, { recursive: true });
    const spoil = (file: string, from: string, to: string) => {
      const text = readFileSync(path.join(folder, file), 'utf8');
      expect(text).toContain(from);
      writeFileSync(path.join(folder, file), text.replace(from, to));
    };
    spoil('web.yaml', 'readOnlyRootFilesystem', 'readonlyRootFilesystem');
    spoil('deliverer.yaml', 'replicas: 2', 'replicas: two');
    spoil('database.yaml', 'poolMode: transaction', 'poolMode: sometimes');
    const { status, stderr } = check(folder);
    rmSync(folder, { recursive: true });
    expect([status, stderr.trim().split('\n')]).toEqual([
      1,
      [
        'database.yaml: Pooler database-pooler: ' +
          'data/spec/pgbouncer/poolMode must be equal to one of the allowed values',
        'web.yaml: Deployment web: ' +
          'spec.template.spec.containers.0.securityContext.readonlyRootFilesystem is not a field there is',
        'deliverer.yaml: Deployment deliverer: data/spec/replicas must be integer',
      ],
    ]);
  });

  it('is made whole by kustomize, where kubectl is', () => {
    const { error, status, stdout, stderr } = spawnSync(
      'kubectl',
      ['kustomize', path.join(DEPLOY, 'kubernetes')],
      {
        encoding: 'utf8',
      },
    );
    if (error) return console.warn('kubectl is not installed: the kustomization is not built');
    expect([status, stderr]).toEqual([0, '']);
    const built = parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
    expect(built).toHaveLength(23);
    const { name } = built.find(({ kind }) => kind === 'ConfigMap')!.metadata;
    expect(stdout.match(new RegExp(`name: ${name}$`, 'gm'))).toHaveLength(5);
    expect(stdout).not.toMatch(/image: shop-administration$/m);
  });

  interface Manifest {
    kind: string;
    metadata: { name: string; annotations?: Record<string, string> };
    configMapGenerator?: { literals: string[] }[];
    spec: any;
  }

  it('gives the service a configuration that it takes', () => {
    const { configMapGenerator } = manifests.find(({ kind }) => kind === 'Kustomization')!;
    const literals = Object.fromEntries(
      configMapGenerator![0].literals.map((literal) => literal.split(/=(.*)/s).slice(0, 2)),
    );
    const scheduled = ofKind('CronJob').map(({ spec, ...rest }) => ({
      ...rest,
      spec: spec.jobTemplate.spec,
    }));
    const ours = [...ofKind('Deployment'), ...ofKind('Job'), ...scheduled].filter(
      ({ metadata: { name } }) => name !== 'redis',
    );
    expect(ours).toHaveLength(4);
    for (const { metadata, spec } of ours) {
      const [container] = spec.template.spec.containers;
      const given = container.env as { name: string; value?: string; valueFrom?: object }[];
      const own = given.map(({ name, value }) => [name, value ?? PASSWORD]);
      const env = { ...literals, ENCRYPTION_KEY: KEY, ...Object.fromEntries(own) } as Record<string, string>;
      for (const name in env) env[name] = env[name].replace(/\$\((\w+)\)/g, (_, other: string) => env[other]);
      const unknown = Object.keys(env).filter(
        (name) => !KNOWN.includes(name) && !/^DATABASE_(USER|PASSWORD)$/.test(name),
      );
      expect([metadata.name, unknown]).toEqual([metadata.name, []]);
      const config = loadConfig(env);
      // Only the jobs that migrate and back up connect as the owner of the tables.
      const isOwner = ['migrate', 'backup'].includes(metadata.name);
      expect(JSON.stringify(given).includes('database-app')).toBe(isOwner);
      for (const url of [config.databaseUrl!, config.databaseDirectUrl!])
        expect(servicePasswordIn(url)).toBe(isOwner ? null : PASSWORD);
      expect(config.roles).toEqual({
        web: metadata.name !== 'deliverer',
        deliver: metadata.name !== 'web',
      });
      const grace = spec.template.spec.terminationGracePeriodSeconds as number | undefined;
      if (grace) expect(grace * 1000).toBeGreaterThanOrEqual(config.shutdownDelayMs + 15_000);
      expect(container.securityContext).toMatchObject({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
      });
      expect(spec.template.spec.securityContext.runAsNonRoot).toBe(true);
    }
  });

  it('points at pods and ports that are there', () => {
    const pods = [...ofKind('Deployment'), ...ofKind('Job')].map(({ spec }) => spec.template);
    const labelled = (labels: Record<string, string>) =>
      pods.filter(({ metadata }) =>
        Object.entries(labels).every(([name, value]) => metadata.labels[name] === value),
      );
    for (const { metadata, spec } of ofKind('PodDisruptionBudget')) {
      expect([metadata.name, labelled(spec.selector.matchLabels).length]).toEqual([metadata.name, 1]);
    }
    for (const { metadata, spec } of ofKind('Service')) {
      const [pod] = labelled(spec.selector);
      const ports = pod.spec.containers[0].ports.map(({ name }: { name: string }) => name);
      expect([metadata.name, ports]).toEqual([
        metadata.name,
        expect.arrayContaining([spec.ports[0].targetPort]),
      ]);
    }
    const [{ spec: everything }] = ofKind('NetworkPolicy').filter(
      ({ metadata }) => metadata.name === 'nothing-else',
    );
    expect(everything).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  });

  it('takes pictures, waits for live changes, and serves nobody without TLS', () => {
    const [{ metadata }] = ofKind('Ingress');
    expect(metadata.annotations).toEqual({
      'nginx.ingress.kubernetes.io/force-ssl-redirect': 'true',
      'nginx.ingress.kubernetes.io/proxy-body-size': '6m',
      'nginx.ingress.kubernetes.io/proxy-read-timeout': '75',
      'nginx.ingress.kubernetes.io/limit-connections': '500',
    });
  });
});

describe('a scheduled backup', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'shop-scheduled-'));
  const run = (databaseUrl: string) =>
    spawnSync('sh', ['scripts/scheduled-backup.sh'], {
      cwd: ROOT,
      encoding: 'utf8',
      env: {
        PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
        DATABASE_URL: databaseUrl,
        ENCRYPTION_KEY: KEY,
        BACKUPS: folder,
        BACKUPS_DAYS: '3',
      },
    });
  const file = (name: string, days: number) => {
    writeFileSync(path.join(folder, name), '');
    const time = Date.now() / 1000 - days * 86_400;
    utimesSync(path.join(folder, name), time, time);
  };
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is what compose, Kubernetes and systemd run', () => {
    for (const where of ['compose/compose.yml', 'kubernetes/backup.yaml', 'systemd/shop-backup.service'])
      expect(read(where)).toContain('scripts/scheduled-backup.sh');
  });

  it('writes a file, and deletes old ones after that; if it fails it deletes nothing', async () => {
    const database = await emptyDatabase();
    await prepareDatabase(database, [KEY], MIGRATIONS);
    file('shop-old', 5);
    file('shop-young', 2);
    file('other', 5);
    expect(run('postgres://127.0.0.1:1/none').status).toBe(1);
    expect(readdirSync(folder).sort()).toEqual(['other', 'shop-old', 'shop-young']);
    expect(run(database)).toMatchObject({ status: 0, stdout: expect.stringContaining('"stores":0') });
    expect(readdirSync(folder).sort()).toEqual([
      'other',
      expect.stringMatching(/^shop-\d{8}T\d{6}$/),
      'shop-young',
    ]);
  });
});

describe('the bill of materials', () => {
  it('names what is bundled and what is shipped beside it, and nothing else', () => {
    const text = execFileSync('npm', ['run', '--silent', 'sbom'], {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const { bomFormat, components } = JSON.parse(text) as {
      bomFormat: string;
      components: { name: string; version: string; purl: string }[];
    };
    const names = components.map(({ name }) => name);
    expect(bomFormat).toBe('CycloneDX');
    for (const name of ['typeorm', 'bull', 'pg', '@node-rs/argon2', 'react', 'swagger-ui-dist'])
      expect(names).toContain(name);
    expect(components.find(({ purl }) => purl.startsWith('pkg:npm/%40nestjs/core@'))).toBeDefined();
    expect(
      names.filter((name) => ['jest', 'eslint', 'prettier', 'vite', 'kubernetes-models'].includes(name)),
    ).toEqual([]);
  });
});

describe('deploy/systemd', () => {
  const units = readdirSync(path.join(DEPLOY, 'systemd'));
  const values = (unit: string, name: string) =>
    [...read(`systemd/${unit}`).matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value);

  it('starts what the build makes, with a valid configuration', () => {
    for (const unit of units.filter((name) => name.endsWith('.service'))) {
      const [command] = values(unit, 'ExecStart');
      const [, file] = /^(?:\/usr\/bin\/node|\/bin\/sh) (\S+)$/.exec(command)!;
      expect(existsSync(path.join(ROOT, file))).toBe(true);
      const set = values(unit, 'Environment').flatMap((line) => line.split(' '));
      const env = Object.fromEntries(set.map((one) => one.split('='))) as Record<string, string>;
      expect(Object.keys(env).filter((name) => !KNOWN.includes(name))).toEqual([]);
      expect(loadConfig(env)).toMatchObject({ dataDir: '/var/lib/shop', nodeEnv: 'production' });
    }
  });

  it('is what systemd understands', () => {
    if (spawnSync('systemd-analyze', ['--version']).error) return;
    const folder = mkdtempSync(path.join(tmpdir(), 'shop-units-'));
    for (const unit of units)
      writeFileSync(
        path.join(folder, unit),
        read(`systemd/${unit}`).replaceAll('/usr/bin/node', process.execPath),
      );
    const files = units.map((unit) => path.join(folder, unit));
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', ...files], {
      encoding: 'utf8',
    });
    rmSync(folder, { recursive: true });
    expect({ status, output: stdout + stderr }).toEqual({ status: 0, output: '' });
  });
});
