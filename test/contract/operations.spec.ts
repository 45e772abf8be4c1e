import { Ajv2020 } from 'ajv/dist/2020.js';
import { isDateTime, isDay, isUri } from '../../src/platform/schema/formats.js';
import { jsonSchema, outputSchema } from '../../src/platform/schema/json/json-schema.js';
import type { OperationSpec } from '../../src/platform/call/endpoint.js';
import { OperationRegistry } from '../../src/platform/call/operation.registry.js';
import { EXAMPLES, PARTS, RELAYS, SECRETS } from '../support/examples.js';
import { dereferenced } from '../support/openapi.js';
import { type TestStore, useShopWithMessenger } from '../support/test-app.js';

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false });
ajv.addFormat('uri', (value) => isUri(value, ['http:', 'https:', 'tg:']));
ajv.addFormat('date-time', isDateTime);
ajv.addFormat('date', isDay);

describe('every operation', () => {
  let store: TestStore;
  let operations: OperationSpec[];
  let document: any;

  const { app } = useShopWithMessenger();
  beforeAll(async () => {
    store = await app.store();
    operations = app.nest.get(OperationRegistry).list();
    document = dereferenced(await (await fetch(`${app.url}/openapi.json`)).json());
  });

  const auditRows = (requestId: string) =>
    app.query<any>('select * from audit_log where store_id = $1 and request_id = $2 order by id', [
      store.id,
      requestId,
    ]);

  const answerOf = (name: string) =>
    document.paths[`/v1/${name}`].post.responses[200].content['application/json'].schema;

  it('has an example', () => {
    const file = 'PREPARED in test/support/examples.ts';
    expect({ file, examples: Object.keys(EXAMPLES).sort() }).toEqual({
      file,
      examples: operations.map(({ name }) => name),
    });
  });

  it.each(Object.keys(EXAMPLES))(
    '%s answers what its schema says, and is audited if it changes something',
    async (name) => {
      const operation = operations.find((spec) => spec.name === name)!;
      // Only the token that previewed a change may apply it.
      const scope = name === 'apply_change' ? 'admin' : operation.scope;
      const input = await EXAMPLES[name](store);
      const answer = await store.call(name, input, { scope, headers: { 'X-Request-Id': `example-${name}` } });
      expect(answer).toMatchObject({ status: 200, body: { ok: true } });
      expect(Object.keys(answer.body).sort()).toEqual(['data', 'ok']);

      const conforms = ajv.compile(answerOf(name).properties.data);
      conforms(answer.body.data);
      expect(conforms.errors ?? []).toEqual([]);

      // What changes many orders also has a row for each, as if it had been changed alone.
      const all = await auditRows(`example-${name}`);
      const rows = all.filter((row) => row.operation !== PARTS[name]);
      // Those that run another operation have its row, and a preview has none.
      const ran = RELAYS.includes(name) ? 'update_brand' : name;
      if (scope === 'read' || name === 'preview_change') expect(rows).toEqual([]);
      else {
        expect(rows).toEqual([
          expect.objectContaining({
            operation: ran,
            actor_kind: 'token',
            actor_id: store.tokenIds[scope],
            actor_name: `test ${scope}`,
            transport: 'http',
            outcome: 'ok',
          }),
        ]);
        if (ran === name) expect(Object.keys(rows[0].input).sort()).toEqual(Object.keys(input).sort());
      }
      const told = JSON.stringify([answer.body, rows]);
      expect(SECRETS.filter((secret) => told.includes(secret))).toEqual([]);
    },
  );

  it('is in the OpenAPI document with the same schemas, and nothing else is', () => {
    expect(Object.keys(document.paths)).toEqual(operations.map(({ name }) => `/v1/${name}`));
    for (const operation of operations) {
      const { name, summary, scope, input, output, list } = operation;
      const { post, ...others } = document.paths[`/v1/${name}`];
      expect(others).toEqual({});
      expect(post).toMatchObject({ operationId: name, summary, 'x-scope': scope });
      const body = post.requestBody?.content['application/json'].schema;
      expect([name, body]).toEqual([name, jsonSchema(input)]);
      const { ok, data } = answerOf(name).properties;
      expect([name, ok, list ? data.properties.items.items : data]).toEqual([
        name,
        { const: true },
        outputSchema(output),
      ]);
    }
  });
});
