import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestStore, useShop } from '../support/test-app.js';

const ROOT = path.resolve(__dirname, '../..');
const COMMAND = path.join(ROOT, 'packages/import/dist/cli.js');

/** Two rows of a price list, of which one is wrong. */
const FILE = [
  'Артикул;Назва;Ціна;Залишок;Фото',
  'A-1;Кружка;"1 250,50";5;https://e.com/1.jpg',
  'A-2;Чашка;багато;1;https://e.com/2.jpg\n',
].join('\n');

describe('the command of the package that imports files', () => {
  let store: TestStore;
  let folder: string;
  const app = useShop();

  beforeAll(async () => {
    execFileSync('npm', ['run', '--silent', 'build:client'], { cwd: ROOT, stdio: 'inherit' });
    store = await app.store();
    folder = mkdtempSync(path.join(tmpdir(), 'import-'));
    writeFileSync(path.join(folder, 'prices.csv'), FILE);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const run = (...args: string[]) => {
    const env = { ...process.env, SHOP_URL: app.url, SHOP_TOKEN: store.tokens.write };
    const child = spawn(process.execPath, [COMMAND, 'prices.csv', ...args], { cwd: folder, env });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += String(part)));
    return new Promise<{ status: number | null; text: string }>((ended) =>
      child.on('close', (status) => ended({ status, text })),
    );
  };

  it('says what would change, then changes it, and writes what is to be mended', async () => {
    const said = await run();
    expect(said).toEqual({
      status: 1,
      text:
        '2 lines: 1 new, 0 changed, 0 unchanged, 1 leftOut, 0 sections\n' +
        'Line 3: Ціна: багато is no number.\n',
    });
    expect((await store.data('find_products', {})).items).toEqual([]);

    const done = await run('--apply', '--problems', 'left.csv');
    expect(done.text).toContain('Imported.');
    expect((await store.data('find_products', {})).items).toMatchObject([
      { productId: 'A-1', title: 'Кружка', price: 1250.5, itemAmount: 5, sku: 'A-1' },
    ]);
    expect(readFileSync(path.join(folder, 'left.csv'), 'utf8')).toContain(
      'Ціна: багато is no number.;A-2;Чашка;багато',
    );
    expect((await run()).text).toContain('1 unchanged, 1 leftOut');
  });

  it('takes columns as it is told, and refuses what there is not', async () => {
    const { status, text } = await run('--column', 'Ціна=', '--column', 'Залишок=price');
    expect([status, text]).toEqual([0, expect.stringContaining('Not read: Ціна')]);
    expect(await run('--column', 'Nothing=price')).toEqual({
      status: 2,
      text: 'There is no column Nothing.\n',
    });
    expect(spawnSync(process.execPath, [COMMAND, '--help'], { encoding: 'utf8' }).stdout).toContain(
      '--make-missing',
    );
  });
});
