import { TestClock, type TestStore, useShop } from '../support/test-app.js';
import { auditRows, expectInvalid, expectNotFound, type FieldCase, walk } from './catalog/catalog-fields.js';
import { KINDS, type RecordKind } from './record-kinds.js';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** What no store of the test has as an id. */
const NO_ID = ['0198c5a4-0000-7000-8000-000000000000', 'nonsense', '1', '', "'; drop table brands; --"];
const NOT_CONFIRMED = [undefined, false, null, 'true', 1];

const clock = new TestClock(new Date('2026-03-01T10:00:00.123Z'));

const app = useShop({ clock });

/** A field with what is accepted for it and what is refused; null is one or the other. */
const cases = (table: FieldCase[]) =>
  table.map(([field, { accepted, refused }, nullable]) => ({
    field,
    accepted: nullable ? [...accepted, null] : accepted,
    refused: nullable ? refused : [...refused, null],
  }));

/**
 * What every kind of record has in common; each kind is a row of record-kinds.ts, its own rules are in its
 * own file.
 */
describe.each(KINDS)('$plural', (kind) => {
  const has = (verb: 'create' | 'get') => !kind.lacks?.includes(verb);
  const [CREATE, GET, UPDATE, DELETE] = ['create', 'get', 'update', 'delete'].map(
    (verb) => `${verb}_${kind.name}`,
  );
  const LIST = `list_${kind.plural}`;
  let store: TestStore;

  beforeAll(async () => {
    store = await app.store();
  });

  /** Without warnings, because a bound may be a price that nobody means. */
  const unwarned = <Record>(record: Record & { warnings?: string[] }): Record => {
    delete record?.warnings;
    return record;
  };
  const make = async (values: object = {}, of = store): Promise<any> => {
    const input = { ...kind.least(), ...values };
    return unwarned(await (kind.make ? kind.make(of, input) : of.data(CREATE, input, { scope: 'write' })));
  };
  const makeFull = async (of = store) => make({ ...kind.full, ...(await kind.links?.(of)) }, of);
  const read = (record: any, of = store): Promise<any> =>
    kind.read ? kind.read(of, record) : of.data(GET, { id: record.id }, { scope: 'read' });
  const update = async (record: any, values: object, of = store) => {
    const answer = await of.call(UPDATE, { id: record.id, ...values }, { scope: 'write' });
    unwarned(answer.body.data);
    return answer;
  };
  const remove = (record: any, of = store) => of.data(DELETE, { id: record.id, confirm: true });
  const shown = (input: Record<string, unknown>) => kind.shown?.(input) ?? input;
  const listed = (records: any[]) => records.map((record) => kind.listed?.(record) ?? record);
  const list = (record: any = {}, of = store) =>
    of.data(LIST, kind.listInput?.(record) ?? {}, { scope: 'read' });
  /** How many rows the store has of the kind, and audit rows. */
  const rows = async (of = store) => {
    const [found] = await app.query(
      `select (select count(*)::int from ${kind.table} where store_id = $1) as records,
         (select count(*)::int from audit_log where store_id = $1) as audits`,
      [of.id],
    );
    return found;
  };

  it('are returned whole, with defaults for what is not given', async () => {
    const own = await app.store();
    const [least, fullInput] = [
      kind.least(),
      { ...kind.least(), ...kind.full, ...(await kind.links?.(own)) },
    ];
    const full = await make(fullInput, own);
    expect(full).toMatchObject(shown(fullInput));
    clock.advance(1000);
    const record = await make(least, own);
    const dates = {
      updatedAt: clock.now().toISOString(),
      ...('createdAt' in record && { createdAt: clock.now().toISOString() }),
    };
    expect(record).toEqual({
      ...kind.defaults,
      ...shown(least),
      ...('productId' in record && { productId: record.productId }),
      ...dates,
      id: expect.stringMatching(UUID_V7),
    });
    expect([await read(record, own), await read(full, own)]).toEqual([record, full]);
    const { items, nextCursor } = await list(record, own);
    const others = (await kind.links?.(own)) && kind.name === 'category';
    expect(nextCursor).toBeNull();
    if (kind.listInput) expect(items).toEqual([record]);
    else expect(items.filter(({ name }: any) => !others || name !== 'Above')).toEqual(listed([record, full]));
  });

  it('need the scopes of the specification', async () => {
    const record = await make();
    const status = async (operation: string, input: object, scope: 'read' | 'write') =>
      (await store.call(operation, input, { scope })).status;
    const before = await rows();
    if (has('create')) expect(await status(CREATE, kind.least(), 'read')).toBe(403);
    expect(await status(UPDATE, { id: record.id, ...kind.change }, 'read')).toBe(403);
    expect(await status(DELETE, { id: record.id, confirm: true }, 'write')).toBe(403);
    expect(await read(record)).toEqual(record);
    expect((await rows()).records).toBe(before.records);
    expect((await update(record, kind.change)).status).toBe(200);
    expect(await status(LIST, kind.listInput?.(record) ?? {}, 'read')).toBe(200);
  });

  if (has('create')) {
    it.each(cases(kind.creating))(
      'take $field at its bounds when they are created',
      async ({ field, accepted }) => {
        for (const value of accepted) {
          const record = await make({ [field]: value });
          expect([value, record]).toMatchObject([value, shown({ [field]: value })]);
          if (field !== 'variants' && !kind.sealed?.includes(field)) expect(record[field]).toEqual(value);
          expect(await read(record)).toEqual(record);
          // A name that no two may have is free again when its record is gone.
          await remove(record);
        }
      },
    );

    it.each(cases(kind.creating))(
      'are not created with $field beyond its bounds',
      async ({ field, refused }) => {
        const before = await rows();
        for (const value of refused) {
          expectInvalid(await store.call(CREATE, { ...kind.least(), [field]: value }), field, value);
        }
        expect(await rows()).toEqual(before);
      },
    );

    it('are not created without what they need, nor with a property they do not take', async () => {
      const before = await rows();
      const absent = kind.required.map((field): [string, unknown] => [field, undefined]);
      for (const [field, value] of [...absent, ...kind.notCreated]) {
        const input = JSON.stringify({ ...kind.least(), [field]: undefined }).slice(0, -1);
        // As text: an assignment to __proto__ makes no property.
        const body =
          value === undefined ? `${input}}` : `${input},${JSON.stringify(field)}:${JSON.stringify(value)}}`;
        expectInvalid(await store.call(CREATE, body), field, value);
      }
      expect(await rows()).toEqual(before);
    });
  }

  it.each(cases(kind.updating))(
    'take $field at its bounds in an update, and change nothing else',
    async ({ field, accepted }) => {
      const isSealed = kind.sealed?.includes(field);
      for (const value of accepted) {
        const before = await makeFull();
        clock.advance(1000);
        const { body } = await update(before, { [field]: value });
        const isSame = JSON.stringify(value) === JSON.stringify(before[field]);
        const updatedAt = isSealed
          ? expect.any(String)
          : isSame
            ? before.updatedAt
            : clock.now().toISOString();
        expect([value, body]).toEqual([
          value,
          {
            ok: true,
            data: {
              ...before,
              ...shown({ [field]: value }),
              ...kind.follows?.({ [field]: value }),
              updatedAt,
            },
          },
        ]);
        expect(await read(before)).toEqual(body.data);
        await remove(before);
      }
    },
  );

  it('refuse an update with a field beyond its bounds, and stay as they are', async () => {
    const before = await makeFull();
    clock.advance(1000);
    const { audits } = await rows();
    const beyond = cases(kind.updating).flatMap(({ field, refused }) =>
      refused.map((value): [string, unknown] => [field, value]),
    );
    for (const [field, value] of [...beyond, ...kind.notUpdated]) {
      // Among others that would be fine.
      const { [field]: _, ...others } = kind.change;
      expectInvalid(await update(before, { ...others, [field]: value }), field, value);
    }
    expect(await read(before)).toEqual(before);
    expect((await rows()).audits).toBe(audits);
  });

  it('need an id that is a string', async () => {
    for (const id of [undefined, null, 5, ['a']]) {
      if (has('get')) expectInvalid(await store.call(GET, { id }), 'id', id);
      expectInvalid(await store.call(UPDATE, { ...kind.change, id }), 'id', id);
      expectInvalid(await store.call(DELETE, { id, confirm: true }), 'id', id);
    }
  });

  it('cannot be found by another store or by ids that name none', async () => {
    const [own, other] = [await app.store(), await app.store()];
    const foreign = await makeFull(other);
    for (const id of [foreign.id, foreign.id.toUpperCase(), ...NO_ID]) {
      if (has('get')) expectNotFound(await own.call(GET, { id }), id);
      expectNotFound(await own.call(UPDATE, { ...kind.change, id }), id);
      expectNotFound(await own.call(DELETE, { id, confirm: true }), id);
    }
    expect(await read(foreign, other)).toEqual(foreign);
    if (kind.listInput) expectNotFound(await own.call(LIST, kind.listInput(foreign)), foreign.id);
    else expect(await list({}, own)).toEqual({ items: [], nextCursor: null });
    expect(await rows(own)).toEqual({ records: 0, audits: 0 });
  });

  it('are changed and deleted with the version last seen, and no other', async () => {
    const record = await makeFull();
    const given = (version: string) => ({ headers: { 'If-Match': version } });
    const stale = given(new Date(Date.parse(record.updatedAt) - 1).toISOString());
    const isStale = { status: 412, body: { error: { code: 'precondition_failed' } } };
    expect(await store.call(UPDATE, { id: record.id, ...kind.change }, stale)).toMatchObject(isStale);
    expect(await store.call(DELETE, { id: record.id, confirm: true }, stale)).toMatchObject(isStale);
    expect(await read(record)).toEqual(record);
    const { body } = await store.call(UPDATE, { id: record.id, ...kind.change }, given(record.updatedAt));
    expect(body.data).toMatchObject(kind.change);
    expect(await store.call(DELETE, { id: record.id, confirm: true }, given(record.updatedAt))).toMatchObject(
      isStale,
    );
    expect(
      (await store.call(DELETE, { id: record.id, confirm: true }, given(body.data.updatedAt))).status,
    ).toBe(200);
  });

  if (kind.unique) uniqueness(kind, { make, read, update, remove, rows, store: () => store });

  it('an update of nothing changes nothing, and is audited', async () => {
    const own = await app.store();
    const links = await kind.links?.(own);
    const record = await make({ ...kind.full, ...links }, own);
    const { audits } = await rows(own);
    const again = { id: record.id, ...(kind.fullAgain ?? kind.full), ...links };
    clock.advance(1000);
    const inputs = kind.needsChange ? [again] : [{ id: record.id }, again];
    for (const input of inputs)
      expect((await own.call(UPDATE, input)).body).toEqual({ ok: true, data: record });
    const target = `${kind.name}:${record.id}`;
    expect((await auditRows(own)).slice(audits as number)).toEqual(
      inputs.map((input) => ({ operation: UPDATE, target, input, changes: {}, outcome: 'ok' })),
    );
    if (!kind.needsChange) return;
    const { status, body } = await own.call(UPDATE, { id: record.id });
    expect([status, body.error!.code]).toEqual([400, 'invalid_input']);
    expect(body.error!.message).toMatch(/at least one of \w+, .* is required/);
  });

  it('leave an audit row for each write, with before and after', async () => {
    const own = await app.store();
    const links = await kind.links?.(own);
    const input: Record<string, unknown> = { ...kind.least(), ...kind.full, ...links };
    const record = await make(input, own);
    const created = (await auditRows(own)).at(-1)!;
    const noLinks = Object.fromEntries(Object.keys(links ?? {}).map((name) => [name, null]));
    const given: Record<string, unknown> = { ...kind.change, ...noLinks };
    const updated = (await update(record, given, own)).body.data;
    await remove(record, own);
    const target = `${kind.name}:${record.id}`;
    const pairs = (values: object, pair: (name: string) => unknown) =>
      Object.fromEntries(
        Object.keys(values).flatMap((name) => (kind.sealed?.includes(name) ? [] : [[name, pair(name)]])),
      );
    if (has('create')) {
      expect(created).toMatchObject({
        operation: CREATE,
        target,
        input: pairs(input, (name) => input[name]),
        outcome: 'ok',
      });
      expect(created.changes).toMatchObject(pairs(input, (name) => [null, record[name]]));
    }
    const [change, deletion] = (await auditRows(own)).slice(-2);
    const changed = Object.entries(given).filter(
      ([name, value]) => JSON.stringify(record[name]) !== JSON.stringify(value),
    );
    expect([changed.length > 0, changed.length < Object.keys(given).length]).toEqual([true, true]);
    expect(change).toEqual({
      operation: UPDATE,
      target,
      input: { id: record.id, ...given },
      changes: pairs(Object.fromEntries(changed), (name) => [record[name], updated[name]]),
      outcome: 'ok',
    });
    expect(deletion).toMatchObject({
      operation: DELETE,
      target,
      input: { id: record.id, confirm: true },
      outcome: 'ok',
    });
    expect(pairs(deletion.changes!, (name) => deletion.changes![name])).toEqual(
      pairs(updated, (name) => [updated[name], null]),
    );
  });

  it('are deleted once, with confirm: true alone', async () => {
    const own = await app.store();
    const [record, kept] = [await make({}, own), await make({}, own)];
    const refused = kind.confirmOptional ? NOT_CONFIRMED.slice(1) : NOT_CONFIRMED;
    for (const confirm of refused)
      expectInvalid(await own.call(DELETE, { id: record.id, confirm }), 'confirm', confirm);
    expect(await read(record, own)).toEqual(record);
    expect(await remove(record, own)).toEqual({ id: record.id, deleted: true });
    expectNotFound(await own.call(DELETE, { id: record.id, confirm: true }), record.id);
    if (has('get')) expectNotFound(await own.call(GET, { id: record.id }), record.id);
    expect((await list(kept, own)).items).toEqual(listed([kept]));
    if (kind.confirmOptional)
      expect(await own.data(DELETE, { id: kept.id })).toEqual({ id: kept.id, deleted: true });
  });

  if (kind.isPaged) {
    it('are listed newest first, 20 a page unless another number is asked for', async () => {
      const own = await app.store();
      const made: any[] = [];
      for (let i = 0; i < 21; i++) made.unshift(await make({}, own));
      const all = listed(made);
      const page = await own.data(LIST);
      expect(page.items).toEqual(all.slice(0, 20));
      expect(await own.data(LIST, { cursor: page.nextCursor })).toEqual({
        items: [all[20]],
        nextCursor: null,
      });
      expect(await own.data(LIST, { take: 21 })).toEqual({ items: all, nextCursor: null });
      expect(await own.data(LIST, { take: 100 })).toEqual({ items: all, nextCursor: null });
      expect((await own.data(LIST, { take: 1 })).items).toEqual([all[0]]);
    });

    it('are neither repeated nor skipped by a list while others come and go', async () => {
      const own = await app.store();
      const made: any[] = [];
      for (let i = 0; i < 9; i++) made.unshift(await make({}, own));
      const doomed = [made[1], made[4], made[8]];
      const seen = await walk(own, LIST, { take: 2 }, async () => {
        await make({}, own);
        const gone = doomed.shift();
        if (gone) await remove(gone, own);
      });
      const ids = seen.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      const lasting = [0, 2, 3, 5, 6, 7].map((i) => made[i].id);
      expect(ids.filter((id) => lasting.includes(id))).toEqual(lasting);
    });

    it('are not listed with a take or cursor that is none', async () => {
      for (const take of [0, 101, 1.5, '20', null])
        expectInvalid(await store.call(LIST, { take }), 'take', take);
      for (const cursor of ['', 'nonsense', 'WyJhIl0', 'WzFd', 5, null])
        expectInvalid(await store.call(LIST, { cursor }), 'cursor', cursor);
    });
  }
});

interface Ways {
  make: (values?: object, of?: TestStore) => Promise<any>;
  read: (record: any) => Promise<any>;
  update: (record: any, values: object) => ReturnType<TestStore['call']>;
  remove: (record: any) => Promise<unknown>;
  rows: (of: TestStore) => Promise<any>;
  store: () => TestStore;
}

function uniqueness(
  { name, least, unique }: RecordKind,
  { make, read, update, remove, rows, store }: Ways,
): void {
  const { field, pairs, updatable = true } = unique!;

  it.each(pairs)(`have a ${field} of their own in the store: %s, %s`, async (value, same) => {
    const [first, second] = [await make({ [field]: value }), await make()];
    expectInvalid(await store().call(`create_${name}`, { ...least(), [field]: same }), field, same);
    if (updatable) {
      const { [field]: _, ...others } = least();
      expectInvalid(await update(second, { ...others, [field]: same }), field, same);
      expect((await update(first, { [field]: same })).body.data[field]).toBe(same);
    }
    expect(await read(second)).toEqual(second);
    expect(await make({ [field]: value }, await app.store())).toMatchObject({ [field]: value });
    await remove(first);
    expect(await make({ [field]: value })).toMatchObject({ [field]: value });
  });

  it(`give a ${field} to one of many that want it at once`, async () => {
    const own = await app.store();
    const [[value]] = pairs;
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => own.call(`create_${name}`, { ...least(), [field]: value })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectInvalid(answer, field, value);
    expect(await rows(own)).toEqual({ records: 1, audits: 1 });
  });
}

describe('the table of kinds', () => {
  it('has every kind with an update operation', async () => {
    const updates = (await (await fetch(`${app.url}/openapi.json`)).json()) as { paths: object };
    const kinds = Object.keys(updates.paths).flatMap((path) => /^\/v1\/list_(\w+)$/.exec(path)?.[1] ?? []);
    const listed = KINDS.map(({ plural }) => plural);
    const changed = kinds.filter((plural) => `/v1/update_${singular(plural)}` in updates.paths);
    // Customers are made by their orders and named by the messenger: customers.spec.ts.
    expect(changed.filter((plural) => !listed.includes(plural))).toEqual(['customers']);
  });
});

const singular = (plural: string) => plural.replace(/ies$/, 'y').replace(/s$/, '');
