import { ownerQuery, TestApp, TestClock, type TestStore } from '../support/test-app.js';
import {
  accepted,
  auditRows,
  type Bounds,
  count,
  expectInvalid,
  expectNotFound,
  type FieldCase,
  freshSlug,
  integer,
  refused,
  SLUG,
  text,
  walk,
} from './catalog-fields.js';

const STATUS: Bounds = { accepted: ['DRAFT', 'ACTIVE', 'ENDED', 'CANCELLED'], refused: ['', 'draft', 'PENDING', 1, ['DRAFT']] };
const DATE: Bounds = {
  accepted: [],
  refused: ['', '2026-04-10', '2026-04-10T12:00:00', '2026-02-30T12:00:00Z', '2026-04-10 12:00:00Z', 'soon', 1775822400000, {}],
};
const POSITIVE = integer({ accepted: [1], refused: [0, -1] });
const NOT_NEGATIVE = integer({ accepted: [0, 1], refused: [-1] });
const NEVER_NULL: FieldCase[] = [
  ['title', text(1, 300)],
  ['slug', SLUG],
  ['startDate', DATE],
  ['endDate', DATE],
  ['status', STATUS],
];
const MAY_BE_EMPTY: FieldCase[] = [
  ['description', text(0, 5000)],
  ['buttonText', text(0, 100)],
  ['maxParticipants', POSITIVE],
  ['prizeDescription', text(0, 2000)],
  ['promoCode', text(0, 100)],
  ['rules', text(0, 5000)],
  ['bonusReward', NOT_NEGATIVE],
];
const CREATE = [...NEVER_NULL, ...MAY_BE_EMPTY];
const UPDATE: FieldCase[] = [...NEVER_NULL, ...MAY_BE_EMPTY.map(([field, bounds]): FieldCase => [field, bounds, 'nullable'])];
const LEAST = { title: 'Spring draw', startDate: '2026-04-01T00:00:00.000Z', endDate: '2026-04-10T00:00:00.000Z' };
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
  let app: TestApp;
  let store: TestStore;

  const create = (values: object = {}, of = store) => of.data('create_contest', { ...LEAST, slug: freshSlug(), ...values });
  const participantsOf = async (contestId: string) =>
    ownerQuery('select customer_id from contest_participants where contest_id = $1 order by customer_id', [contestId]);
  const join = (contestId: string, customerId: string) =>
    ownerQuery('insert into contest_participants (store_id, contest_id, customer_id, created_at) values ($1, $2, $3, now())', [
      store.id,
      contestId,
      customerId,
    ]);
  const customer = (id: string) =>
    ownerQuery('insert into customers (store_id, id, created_at, updated_at) values ($1, $2, now(), now())', [store.id, id]);

  beforeAll(async () => {
    app = await TestApp.start({ clock });
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    store = await app.store();
  });

  it('are returned whole, with defaults for what is not given', async () => {
    const least = await store.data('create_contest', { ...LEAST, slug: 'spring' }, { scope: 'write' });
    expect(least).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{14}7[0-9a-f-]{21}$/),
      ...LEAST,
      slug: 'spring',
      description: null,
      buttonText: null,
      maxParticipants: null,
      prizeDescription: null,
      promoCode: null,
      rules: null,
      bonusReward: null,
      status: 'DRAFT',
      createdAt: '2026-03-01T10:00:00.123Z',
      updatedAt: '2026-03-01T10:00:00.123Z',
    });
    const full = await create({ ...FULL, slug: 'spring-2' });
    expect(full).toMatchObject({ ...FULL, slug: 'spring-2' });
    expect(await store.data('get_contest', { id: full.id }, { scope: 'read' })).toEqual(full);
    expect(await store.data('list_contests', {}, { scope: 'read' })).toEqual({ items: [full, least], nextCursor: null });
  });

  it('need the scopes of the specification', async () => {
    expect((await store.call('create_contest', { ...LEAST, slug: 'a' }, { scope: 'read' })).status).toBe(403);
    const { id } = await create();
    expect((await store.call('update_contest', { id }, { scope: 'read' })).status).toBe(403);
    expect((await store.call('update_contest', { id }, { scope: 'write' })).status).toBe(200);
    expect((await store.call('delete_contest', { id, confirm: true }, { scope: 'write' })).status).toBe(403);
    expect(await count(store, 'contests')).toBe(1);
  });

  it.each(accepted(CREATE))('create_contest takes %s %j', async (field, value) => {
    const contest = await create({ [field]: value });
    expect(contest[field]).toEqual(value);
    expect(await store.data('get_contest', { id: contest.id })).toEqual(contest);
  });

  it.each([
    ...refused(CREATE),
    ...['title', 'slug', 'startDate', 'endDate'].map((field): [string, unknown] => [field, undefined]),
  ])('create_contest refuses %s %j', async (field, value) => {
    const input = { ...LEAST, slug: 'spring', [field]: value };
    expectInvalid(await store.call('create_contest', input), field);
    expect(await count(store, 'contests')).toBe(0);
    expect(await count(store, 'audit_log')).toBe(0);
  });

  it.each(accepted(UPDATE))('update_contest takes %s %j, and changes nothing else', async (field, value) => {
    const before = await create(FULL);
    clock.advance(1000);
    const after = await store.data('update_contest', { id: before.id, [field]: value });
    const updatedAt = value === before[field] ? before.updatedAt : clock.now().toISOString();
    expect(after).toEqual({ ...before, [field]: value, updatedAt });
    expect(await store.data('get_contest', { id: before.id })).toEqual(after);
  });

  it.each(refused(UPDATE))('update_contest refuses %s %j', async (field, value) => {
    const before = await create(FULL);
    clock.advance(1000);
    expectInvalid(await store.call('update_contest', { id: before.id, [field]: value }), field);
    expect(await store.data('get_contest', { id: before.id })).toEqual(before);
  });

  it.each(['storeId', 'createdAt', 'id', 'winners', 'participants'])(
    'create_contest refuses the unknown property %s',
    async (property) => {
      expectInvalid(await store.call('create_contest', { ...LEAST, slug: 'spring', [property]: 'x' }), property);
    },
  );

  it.each([
    ['get_contest', {}],
    ['update_contest', {}],
    ['delete_contest', { confirm: true }],
  ])('%s needs an id that is a string', async (operation, input) => {
    for (const id of [undefined, null, 5, ['a']]) expectInvalid(await store.call(operation, { ...input, id }), 'id');
  });

  it('has no contest of another store, nor of no store', async () => {
    const other = await app.store();
    const foreign = await create(FULL, other);
    for (const id of [foreign.id, '0198c5a4-0000-7000-8000-000000000000', 'nonsense', '']) {
      expectNotFound(await store.call('get_contest', { id }));
      expectNotFound(await store.call('update_contest', { id, title: 'Mine' }));
      expectNotFound(await store.call('delete_contest', { id, confirm: true }));
    }
    expect(await other.data('get_contest', { id: foreign.id })).toEqual(foreign);
    expect(await store.data('list_contests')).toEqual({ items: [], nextCursor: null });
  });

  it('a slug belongs to one contest of a store, and is free elsewhere', async () => {
    const first = await create({ slug: 'spring' });
    const second = await create({ slug: 'other' });
    expectInvalid(await store.call('create_contest', { ...LEAST, slug: 'spring' }), 'slug');
    expectInvalid(await store.call('update_contest', { id: second.id, title: 'Again', slug: 'spring' }), 'slug');
    expect(await store.data('get_contest', { id: second.id })).toEqual(second);
    expect((await store.data('update_contest', { id: first.id, slug: 'spring' })).slug).toBe('spring');
    await create({ slug: 'spring' }, await app.store());
  });

  describe('dates', () => {
    it('are instants: any offset is taken, UTC with milliseconds is given', async () => {
      const contest = await create({ startDate: '2026-04-01T02:30:00+05:30', endDate: '2026-04-01t00:00:00.1239z' });
      expect(contest).toMatchObject({ startDate: '2026-03-31T21:00:00.000Z', endDate: '2026-04-01T00:00:00.123Z' });
      expect(await store.data('get_contest', { id: contest.id })).toEqual(contest);
    });

    it.each([
      ['the same', '2026-04-01T00:00:00Z', '2026-04-01T00:00:00Z'],
      ['the same instant in two offsets', '2026-04-01T00:00:00Z', '2026-04-01T05:30:00+05:30'],
      ['the same to the millisecond', '2026-04-01T00:00:00.0001Z', '2026-04-01T00:00:00.0009Z'],
      ['the wrong way round', '2026-04-02T00:00:00Z', '2026-04-01T00:00:00Z'],
      ['the wrong way round, though not as text', '2026-04-01T12:00:00-05:00', '2026-04-01T13:00:00+05:00'],
    ])('are refused when they are %s', async (_, startDate, endDate) => {
      expectInvalid(await store.call('create_contest', { ...LEAST, slug: 'spring', startDate, endDate }), 'startDate');
      expect(await count(store, 'contests')).toBe(0);
      const before = await create(FULL);
      expectInvalid(await store.call('update_contest', { id: before.id, title: 'New', startDate, endDate }), 'startDate');
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
      expect((await update({ startDate: '2027-01-01T00:00:00Z', endDate: '2027-01-02T00:00:00Z' })).status).toBe(200);
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
    for (const status of ['ENDED', 'ACTIVE', 'CANCELLED', 'DRAFT', 'CANCELLED', 'ENDED', 'DRAFT', 'ACTIVE', 'DRAFT']) {
      expect((await store.data('update_contest', { id, status })).status).toBe(status);
    }
  });

  it('an update of nothing changes nothing, and is audited', async () => {
    const contest = await create(FULL);
    const again = { id: contest.id, ...FULL, startDate: '2026-04-01T03:00:00+03:00' };
    clock.advance(1000);
    expect(await store.data('update_contest', { id: contest.id })).toEqual(contest);
    expect(await store.data('update_contest', again)).toEqual(contest);
    expect((await auditRows(store)).slice(1)).toEqual([
      { operation: 'update_contest', target: `contest:${contest.id}`, input: { id: contest.id }, changes: {}, outcome: 'ok' },
      { operation: 'update_contest', target: `contest:${contest.id}`, input: again, changes: {}, outcome: 'ok' },
    ]);
  });

  it('leave an audit row for each write, with before and after', async () => {
    const contest = await create({ slug: 'spring', bonusReward: 5 });
    const update = { id: contest.id, status: 'ACTIVE', bonusReward: null, maxParticipants: 9, endDate: '2026-04-11T00:00:00Z' };
    const updated = await store.data('update_contest', update);
    await store.data('delete_contest', { id: contest.id, confirm: true });
    expect(await auditRows(store)).toEqual([
      {
        operation: 'create_contest',
        target: `contest:${contest.id}`,
        input: { ...LEAST, slug: 'spring', bonusReward: 5 },
        changes: {
          title: [null, LEAST.title],
          slug: [null, 'spring'],
          startDate: [null, LEAST.startDate],
          endDate: [null, LEAST.endDate],
          bonusReward: [null, 5],
        },
        outcome: 'ok',
      },
      {
        operation: 'update_contest',
        target: `contest:${contest.id}`,
        input: update,
        changes: {
          status: ['DRAFT', 'ACTIVE'],
          bonusReward: [5, null],
          maxParticipants: [null, 9],
          endDate: [LEAST.endDate, '2026-04-11T00:00:00.000Z'],
        },
        outcome: 'ok',
      },
      {
        operation: 'delete_contest',
        target: `contest:${contest.id}`,
        input: { id: contest.id, confirm: true },
        changes: Object.fromEntries(Object.entries(updated).map(([name, value]) => [name, [value, null]])),
        outcome: 'ok',
      },
    ]);
  });

  describe('deleting', () => {
    it('is done once, and takes its participants and no others', async () => {
      const [contest, kept] = [await create(), await create()];
      await customer('1001');
      await customer('9223372036854775807');
      for (const { id } of [contest, kept]) await join(id, '1001');
      await join(contest.id, '9223372036854775807');
      expect(await participantsOf(contest.id)).toHaveLength(2);
      expect(await store.data('delete_contest', { id: contest.id, confirm: true })).toEqual({ id: contest.id, deleted: true });
      expect(await participantsOf(contest.id)).toEqual([]);
      expect(await participantsOf(kept.id)).toEqual([{ customer_id: '1001' }]);
      expectNotFound(await store.call('delete_contest', { id: contest.id, confirm: true }));
      expect((await store.data('list_contests')).items).toEqual([kept]);
    });

    it.each([undefined, false, null, 'true', 1])('is refused with confirm %j', async (confirm) => {
      const contest = await create();
      await customer('1001');
      await join(contest.id, '1001');
      expectInvalid(await store.call('delete_contest', { id: contest.id, confirm }), 'confirm');
      expect(await participantsOf(contest.id)).toHaveLength(1);
    });
  });

  it('a participant is a customer of the store, and takes part once', async () => {
    const contest = await create();
    await customer('1001');
    await join(contest.id, '1001');
    await expect(join(contest.id, '1001')).rejects.toMatchObject({ constraint: 'contest_participants_pkey' });
    await expect(join(contest.id, '1002')).rejects.toMatchObject({ constraint: 'contest_participants_customer' });
    const foreign = await create({}, await app.store());
    await expect(join(foreign.id, '1001')).rejects.toMatchObject({ constraint: 'contest_participants_contest' });
  });

  describe('list_contests', () => {
    it('gives 20 by default, newest first', async () => {
      const made = [];
      for (let i = 0; i < 21; i++) made.unshift(await create());
      const page = await store.data('list_contests');
      expect(page.items).toEqual(made.slice(0, 20));
      expect(await store.data('list_contests', { cursor: page.nextCursor })).toEqual({ items: [made[20]], nextCursor: null });
    });

    it('of one status gives those only, page by page', async () => {
      const made: any[] = [];
      for (const status of ['DRAFT', 'ACTIVE', 'ENDED', 'ACTIVE', 'CANCELLED', 'ACTIVE']) made.unshift(await create({ status }));
      expect(await walk(store, 'list_contests', { take: 1 })).toEqual(made);
      for (const status of STATUS.accepted) {
        const expected = made.filter((contest) => contest.status === status);
        expect(await walk(store, 'list_contests', { take: 1, status })).toEqual(expected);
      }
    });

    it('neither repeats nor skips a contest while others come and go', async () => {
      const made: any[] = [];
      for (let i = 0; i < 9; i++) made.unshift(await create());
      const doomed = [made[1], made[4], made[8]];
      const seen = await walk(store, 'list_contests', { take: 2 }, async () => {
        await create();
        const gone = doomed.shift();
        if (gone) await store.data('delete_contest', { id: gone.id, confirm: true });
      });
      const ids = seen.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const i of [0, 2, 3, 5, 6, 7]) expect(ids).toContain(made[i].id);
    });

    it.each([
      ['status', 'active'],
      ['status', null],
      ['take', 0],
      ['take', 101],
      ['cursor', ''],
      ['cursor', 'nonsense'],
    ])('refuses %s %j', async (field, value) => {
      expectInvalid(await store.call('list_contests', { [field]: value }), field);
    });
  });
});
