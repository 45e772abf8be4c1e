import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');
const text = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

/** npm run test:slow */
describe('what npm test leaves out, or tries less of', () => {
  const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> };
  const [, named] = /test\/runner\/jest\.config\.js (.*?) && /.exec(scripts['test:slow'])!;
  const patterns = named.split(' ').map((one) => new RegExp(`/${one.replaceAll("'", '')}`));
  const [, listed] = /^const SLOW = \[\n(.*?)^\];/ms.exec(text('jest.config.js'))!;
  const slow = [...listed.matchAll(/'([^']+)'/g)].map(([, pattern]) => new RegExp(pattern));
  const specs = ['src', 'test'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.spec.ts') && !/^(web|docs\/slow)/.test(name))
      .map((name) => `/${folder}/${name}`),
  );
  const isPartly = (file: string) => /process\.env\.SLOW_TESTS|support\/slow\.js'/.test(text(file.slice(1)));

  it('is run by npm run test:slow', () => {
    const files = specs.filter((file) => slow.some((one) => one.test(file)) || isPartly(file));
    expect(files.length).toBeGreaterThan(30);
    expect(files.filter((file) => !patterns.some((one) => one.test(file)))).toEqual([]);
  });

  it('is no pattern without a file', () => {
    expect([...slow, ...patterns].filter((one) => !specs.some((file) => one.test(file)))).toEqual([]);
  });
});
