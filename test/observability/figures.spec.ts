import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { figuresIn, figuresOf } from '../support/servers/prometheus.js';
import { ownDatabase } from '../support/database/own-database.js';
import { TestApp } from '../support/test-app.js';

const read = (file: string) => readFileSync(path.resolve(__dirname, '../..', file), 'utf8');

interface Panel {
  title: string;
  type: string;
  targets?: { expr: string }[];
}

/** What is drawn, alerted on and documented is what the service tells. */
describe('figures', () => {
  let told: Set<string>;

  beforeAll(async () => {
    // With all there may be: nobody listens at that port, and it is no standby; the figures about them are
    // told all the same.
    const own = await ownDatabase();
    const database = { ...own, replicaUrl: own.storeUrl };
    const app = await TestApp.start({
      database,
      env: { SHOP_ROLES: 'web,deliver', REDIS_URL: 'redis://127.0.0.1:1' },
    });
    // A service with an embedded database tells two more (test/process/watched-database.spec.ts), and one is
    // about a backup (test/prometheus).
    told = new Set([
      'up',
      'shop_backup_succeeded_seconds',
      'shop_disk_free_bytes',
      'shop_disk_size_bytes',
      ...figuresIn(await (await fetch(`${app.url}/metrics`)).text()),
    ]);
    await app.stop();
  });

  it('that the alerts use exist, and operations.md says what to do at each', () => {
    const { groups } = parse(read('deploy/prometheus/alerts.yml')) as {
      groups: { rules: { alert: string; expr: string; labels: object; annotations: object }[] }[];
    };
    const rules = groups.flatMap((group) => group.rules);
    expect(rules.length).toBeGreaterThan(10);
    const runbooks = [...read('docs/operations.md').matchAll(/^- `(Shop\w+)`: /gm)].map(([, name]) => name);
    expect(runbooks).toEqual(rules.map(({ alert }) => alert));
    for (const { alert, expr, labels, annotations } of rules) {
      const names = figuresOf(expr);
      expect([alert, names.length > 0, names.filter((name) => !told.has(name))]).toEqual([alert, true, []]);
      expect([alert, labels]).toEqual([
        alert,
        { severity: expect.stringMatching(/^(critical|warning|info)$/) },
      ]);
      expect(Object.keys(annotations)).toEqual(['summary', 'action']);
    }
  });

  it('that the Grafana dashboard uses exist', () => {
    const { panels } = JSON.parse(read('deploy/grafana/shop.json')) as { panels: Panel[] };
    const drawn = panels.filter(({ type }) => type !== 'row');
    expect(drawn.length).toBeGreaterThan(10);
    for (const { title, targets } of drawn) {
      const names = targets!.flatMap(({ expr }) => figuresOf(expr));
      expect([title, names.length > 0, names.filter((name) => !told.has(name))]).toEqual([title, true, []]);
    }
  });

  it("that the documentation names exist, and each of the service's own is documented", () => {
    const text = read('docs/operations.md');
    const named = new Set([...text.matchAll(/`(shop_[a-z_]+|nodejs_[a-z_0-9]+)`/g)].map(([, name]) => name));
    expect([...named].filter((name) => !told.has(name))).toEqual([]);
    const own = [...told].filter((name) => name.startsWith('shop_') && !/_(bucket|count|sum)$/.test(name));
    expect(own.filter((name) => !named.has(name))).toEqual([]);
  });
});
