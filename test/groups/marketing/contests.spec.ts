import { ownerQuery, TestClock, type TestStore, useShop } from '../../support/test-app.js';
import {
  type Bounds,
  count,
  expectInvalid,
  expectNotFound,
  freshSlug,
  walk,
} from '../catalog/catalog-fields.js';

const STATUS: Bounds = {
  accepted: ['DRAFT', 'ACTIVE', 'ENDED', 'CANCELLED'],
  refused: ['', 'draft', 'PENDING', 1, ['DRAFT']],
};
const LEAST = {
  title: 'Spring draw',
  startDate: '2026-04-01T00:00:00.000Z',
  endDate: '2026-04-10T00:00:00.000Z',
};
const FULL = {
  ...LEAST,
  description: 'Win boots',
  buttonText: 'Join',
  maxParticipants: 500,
  prizeDescription: 'Boots',
  promoCode: 'SPRING',
  rules: 'One entry each',
  bonusReward: 25,
  status: 'ACTIVE',
};

describe('contests', () => {
  const clock = new TestClock(new Date('2026-03-01T10:00:00.123Z'));
  let store: TestStore;

  const create = (values: object = {}, of = store) =>
    of.data('create_contest', { ...LEAST, slug: freshSlug(), ...values });
  const participantsOf = async (contestId: string) =>
    ownerQuery('select customer_id from contest_participants where contest_id = $1 order by customer_id', [
      contestId,
    ]);
  const join = (contestId: string, customerId: string) =>
    ownerQuery(
      `insert into contest_participants (store_id, contest_id, customer_id, created_at)
       values ($1, $2, $3, now())`,
      [store.id, contestId, customerId],
    );
  const customer = (id: string) =>
    ownerQuery('insert into customers (store_id, id, created_at, updated_at) values ($1, $2, now(), now())', [
      store.id,
      id,
    ]);

  const app = useShop({ clock });
  beforeEach(async () => {
    store = await app.store();
  });

  describe('dates', () => {
    it('are instants: any offset is taken, UTC with milliseconds is given', async () => {
      const contest = await create({
        startDate: '2026-04-01T02:30:00+05:30',
        endDate: '2026-04-01t00:00:00.1239z',
      });
      expect(contest).toMatchObject({
        startDate: '2026-03-31T21:00:00.000Z',
        endDate: '2026-04-01T00:00:00.123Z',
      });
      expect(await store.data('get_contest', { id: contest.id })).toEqual(contest);
    });

    it.each([
      ['the same', '2026-04-01T00:00:00Z', '2026-04-01T00:00:00Z'],
      ['the same instant in two offsets', '2026-04-01T00:00:00Z', '2026-04-01T05:30:00+05:30'],
      ['the same to the millisecond', '2026-04-01T00:00:00.0001Z', '2026-04-01T00:00:00.0009Z'],
      ['the wrong way round', '2026-04-02T00:00:00Z', '2026-04-01T00:00:00Z'],
      ['the wrong way round, though not as text', '2026-04-01T12:00:00-05:00', '2026-04-01T13:00:00+05:00'],
    ])('are refused when they are %s', async (_, startDate, endDate) => {
      expectInvalid(
        await store.call('create_contest', { ...LEAST, slug: 'spring', startDate, endDate }),
        'startDate',
      );
      expect(await count(store, 'contests')).toBe(0);
      const before = await create(FULL);
      expectInvalid(
        await store.call('update_contest', { id: before.id, title: 'New', startDate, endDate }),
        'startDate',
      );
      expect(await store.data('get_contest', { id: before.id })).toEqual(before);
    });

    it('may be one millisecond apart', async () => {
      const dates = { startDate: '2026-04-01T00:00:00.000Z', endDate: '2026-04-01T00:00:00.001Z' };
      expect(await create(dates)).toMatchObject(dates);
    });

    it('are checked on what an update results in', async () => {
      const contest = await create(LEAST);
      const update = (values: object) => store.call('update_contest', { id: contest.id, ...values });
      for (const values of [
        { startDate: LEAST.endDate },
        { startDate: '2027-01-01T00:00:00Z' },
        { endDate: LEAST.startDate },
        { endDate: '2025-01-01T00:00:00Z' },
      ]) {
        expectInvalid(await update(values), 'startDate');
      }
      expect(await store.data('get_contest', { id: contest.id })).toEqual(contest);
      expect((await update({ startDate: '2026-04-09T23:59:59.999Z' })).status).toBe(200);
      expect(
        (await update({ startDate: '2027-01-01T00:00:00Z', endDate: '2027-01-02T00:00:00Z' })).status,
      ).toBe(200);
    });

    it('stay in order when two updates that are each fine come at once', async () => {
      for (let round = 0; round < 10; round++) {
        const { id } = await create(LEAST);
        const answers = await Promise.all([
          store.call('update_contest', { id, startDate: '2026-04-09T00:00:00Z' }),
          store.call('update_contest', { id, endDate: '2026-04-02T00:00:00Z' }),
        ]);
        const refusals = answers.filter(({ status }) => status !== 200);
        expect(refusals).toHaveLength(1);
        expectInvalid(refusals[0], 'startDate');
      }
    });
  });

  it('go from any status to any other', async () => {
    const { id } = await create();
    for (const status of [
      'ENDED',
      'ACTIVE',
      'CANCELLED',
      'DRAFT',
      'CANCELLED',
      'ENDED',
      'DRAFT',
      'ACTIVE',
      'DRAFT',
    ]) {
      expect((await store.data('update_contest', { id, status })).status).toBe(status);
    }
  });

  describe('deleting', () => {
    it('is done once, and deletes its participants and no others', async () => {
      const [contest, kept] = [await create(), await create()];
      await customer('1001');
      await customer('9223372036854775807');
      for (const { id } of [contest, kept]) await join(id, '1001');
      await join(contest.id, '9223372036854775807');
      expect(await participantsOf(contest.id)).toHaveLength(2);
      expect(await store.data('delete_contest', { id: contest.id, confirm: true })).toEqual({
        id: contest.id,
        deleted: true,
      });
      expect(await participantsOf(contest.id)).toEqual([]);
      expect(await participantsOf(kept.id)).toEqual([{ customer_id: '1001' }]);
      expectNotFound(await store.call('delete_contest', { id: contest.id, confirm: true }));
      expect((await store.data('list_contests')).items).toEqual([kept]);
    });
  });

  it('a participant is a customer of the store, and takes part once', async () => {
    const contest = await create();
    await customer('1001');
    await join(contest.id, '1001');
    await expect(join(contest.id, '1001')).rejects.toMatchObject({ constraint: 'contest_participants_pkey' });
    await expect(join(contest.id, '1002')).rejects.toMatchObject({
      constraint: 'contest_participants_customer',
    });
    const foreign = await create({}, await app.store());
    await expect(join(foreign.id, '1001')).rejects.toMatchObject({
      constraint: 'contest_participants_contest',
    });
  });

  describe('list_contests', () => {
    it('filters by status, page by page', async () => {
      const made: any[] = [];
      for (const status of ['DRAFT', 'ACTIVE', 'ENDED', 'ACTIVE', 'CANCELLED', 'ACTIVE'])
        made.unshift(await create({ status }));
      expect(await walk(store, 'list_contests', { take: 1 })).toEqual(made);
      for (const status of STATUS.accepted) {
        const expected = made.filter((contest) => contest.status === status);
        expect(await walk(store, 'list_contests', { take: 1, status })).toEqual(expected);
      }
    });

    it.each([
      ['status', 'active'],
      ['status', null],
    ])('refuses %s %j', async (field, value) => {
      expectInvalid(await store.call('list_contests', { [field]: value }), field);
    });
  });
});
