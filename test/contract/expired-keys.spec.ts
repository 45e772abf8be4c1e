import { ExpiredKeys } from '../../src/platform/operation/expired-keys.service.js';
import { ownDatabase } from '../support/own-database.js';
import { TestApp, TestClock } from '../support/test-app.js';

const DAY_MS = 24 * 3_600_000;

describe('expired idempotency keys', () => {
  it('are deleted, and only they', async () => {
    const clock = new TestClock();
    const app = await TestApp.start({ clock, database: await ownDatabase() });
    const store = await app.store();
    const brand = (slug: string) => store.call('create_brand', { name: slug, slug }, { headers: { 'Idempotency-Key': slug } });
    await brand('old');
    clock.advance(1);
    await brand('young');
    clock.advance(DAY_MS - 1);
    await app.nest.get(ExpiredKeys).purge();
    expect(await app.query('select key from idempotency_keys')).toEqual([{ key: 'young' }]);
    expect((await brand('young')).headers.get('idempotent-replayed')).toBe('true');
    await app.stop();
  });
});
