import fc from 'fast-check';
import { jsonSchema } from '../../src/platform/schema/json/json-schema.js';
import type { OperationSpec } from '../../src/platform/call/endpoint.js';
import { OperationRegistry } from '../../src/platform/call/operation.registry.js';
import { EXAMPLES, PARTS } from '../support/examples.js';
import { inputs, withoutWaiting } from '../support/generated-inputs.js';
import { storeDump } from '../support/database/store-dump.js';
import { isSlow } from '../support/slow.js';
import { type TestStore, useShopWithMessenger } from '../support/test-app.js';
import { HOSTILE_BODIES, hostileBodies } from './hostile-json.js';

/**
 * Bodies for each operation. The same ones on every run, so that a failure is one of this change; npm run
 * test:slow sends these first, and more.
 */
const [HOSTILE_RUNS, GENERATED_RUNS] = isSlow ? [60, 20] : [10, 5];
const SEED = 20261121;
const LONGEST_ANSWER_MS = 30_000;

/** Answers a caller may cause. */
const CAUSED = [200, 400, 403, 404];

describe('hostile input', () => {
  let store: TestStore;
  let specs: Map<string, OperationSpec>;

  const { app } = useShopWithMessenger();
  beforeAll(async () => {
    specs = new Map(
      app.nest
        .get(OperationRegistry)
        .list()
        .map((spec) => [spec.name, spec]),
    );
  });
  beforeEach(async () => {
    store = await app.store();
  });

  /** Sends the body and holds the answer to what every answer must be. @returns whether it was accepted */
  const send = async (operation: string, body: string): Promise<boolean> => {
    const startedAt = performance.now();
    const response = await fetch(`${app.url}/v1/${operation}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${store.tokens.admin}`, 'Content-Type': 'application/json' },
      body,
      signal: AbortSignal.timeout(LONGEST_ANSWER_MS),
    });
    const envelope = (await response.json()) as { ok: boolean; error?: { code: string; message: string } };
    const took = Math.round(performance.now() - startedAt);
    const what = `${operation} ${body.slice(0, 300)} (${body.length}) in ${took} ms`;
    expect([what, CAUSED.includes(response.status), envelope.ok]).toEqual([
      what,
      true,
      response.status === 200,
    ]);
    // What a caller sends must not come back by the megabyte.
    if (!envelope.ok) expect([what, envelope.error!.message.length < 7_000]).toEqual([what, true]);
    return envelope.ok;
  };
  /** How many calls were audited. @param part whose rows are about a part of a call */
  const auditCount = async (part?: string) => {
    const [{ count }] = await app.query<any>(
      'select count(*)::int as count from audit_log where store_id = $1 and operation is distinct from $2',
      [store.id, part],
    );
    return count as number;
  };

  it.each(Object.keys(EXAMPLES))(
    'for %s is refused without a trace, or stored as it is',
    async (operation) => {
      const { input, scope } = specs.get(operation)!;
      const example = await EXAMPLES[operation](store);
      const bodies = [
        ...fc.sample(hostileBodies(example), { numRuns: HOSTILE_RUNS, seed: SEED }),
        ...fc
          .sample(inputs(jsonSchema(input)), { numRuns: GENERATED_RUNS, seed: SEED })
          .map((value) => JSON.stringify(value, withoutWaiting)),
      ];
      const before = await auditCount(PARTS[operation]);
      const refused: string[] = [];
      for (const body of bodies) if (!(await send(operation, body))) refused.push(body);
      const accepted = bodies.length - refused.length;
      const isAudited = scope !== 'read' && operation !== 'preview_change';
      expect((await auditCount(PARTS[operation])) - before).toBe(isAudited ? accepted : 0);

      // Once more what was refused: now nothing at all may change.
      const dump = await storeDump(app, store.id);
      for (const body of refused)
        expect([body.slice(0, 300), await send(operation, body)]).toEqual([body.slice(0, 300), false]);
      expect(await storeDump(app, store.id)).toEqual(dump);
      expect(refused.length).toBeGreaterThan(bodies.length / 4);
      expect(({} as Record<string, unknown>).isAdmin).toBeUndefined();
    },
  );

  it('is refused as a body that is no JSON object, whatever the operation', async () => {
    const bodies = HOSTILE_BODIES.filter((body) => !/^(\ufeff)?\{/.test(body) && body !== '');
    for (const body of bodies)
      expect([body.slice(0, 100), await send('update_general', body)]).toEqual([body.slice(0, 100), false]);
    expect(await auditCount()).toBe(0);
  });
});
