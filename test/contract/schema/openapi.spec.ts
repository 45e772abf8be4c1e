import { readFileSync } from 'node:fs';
import { DOCUMENTED_DOORS, type DocumentedDoor } from '../../../src/doors/openapi/documents.service.js';
import { NamedSchemas } from '../../../src/doors/openapi/named-schemas.js';
import { Text } from '../../../src/platform/schema/fields.js';
import { Nested } from '../../../src/platform/schema/list-fields.js';
import { useShop } from '../../support/test-app.js';

type Json = any;

const ADDRESSES: Record<DocumentedDoor, string> = {
  operations: '',
  dashboard: '/dashboard',
  storefront: '/storefront',
};
const METHODS = ['get', 'post', 'put', 'delete'];

/** Every value inside a value, itself included. */
function* inside(value: Json): Generator<Json> {
  yield value;
  if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* inside(inner);
}

describe.each(DOCUMENTED_DOORS)('the OpenAPI document of %s', (door) => {
  let document: Json;
  let operations: Json[];

  const app = useShop({ env: { BASE_URL: 'https://shop.example' } });
  beforeAll(async () => {
    document = await (await fetch(`${app.url}${ADDRESSES[door]}/openapi.json`)).json();
    operations = [document.paths, document.webhooks ?? {}].flatMap((paths) =>
      Object.values<Json>(paths).flatMap((path) => METHODS.flatMap((method) => path[method] ?? [])),
    );
  });

  it('names its version, contact, licence and server', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: {
        version: '1.0.0',
        contact: { url: 'https://shop.example' },
        license: { name: expect.any(String) },
      },
      servers: [{ url: 'https://shop.example' }],
    });
  });

  it('gives each operation an id of its own, a description, and tags that are explained', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids.length).toBeGreaterThan(5);
    expect(ids.filter((id, i) => !/^[a-z][a-z0-9_]*$/.test(id) || ids.indexOf(id) !== i)).toEqual([]);
    expect(
      operations
        .filter(({ summary, description }) => !summary || !description)
        .map(({ operationId }) => operationId),
    ).toEqual([]);
    // A new group's tag is explained in src/doors/openapi/tags.ts.
    expect(document.tags.filter(({ description }: Json) => !description)).toEqual([]);
    const used = new Set(operations.flatMap(({ tags }) => tags));
    expect([...used].sort()).toEqual(document.tags.map(({ name }: Json) => name).sort());
    expect(operations.filter(({ tags }) => tags.length === 0)).toEqual([]);
  });

  it('names every object, and has no component that nothing uses', () => {
    const { schemas, responses, headers } = document.components;
    const references = new Set(
      [...inside(document)].flatMap((value) => (typeof value?.$ref === 'string' ? [value.$ref] : [])),
    );
    const components = Object.entries<Json>({ schemas, responses, headers }).flatMap(([kind, named]) =>
      Object.keys(named).map((name) => `#/components/${kind}/${name}`),
    );
    expect([...references].sort()).toEqual(components.sort());
    const unnamed = Object.entries<Json>(schemas).flatMap(([name, schema]) =>
      Object.entries<Json>(schema.properties)
        .filter(([, property]) =>
          [...inside(property)].some(
            (value) => value?.type === 'object' && value.additionalProperties !== true,
          ),
        )
        .map(([property]) => `${name}.${property}`),
    );
    expect(unnamed).toEqual(['ErrorResponse.error']);
  });

  it('has an example of every body and every answer', () => {
    const contents = [...inside(document)].flatMap((value) => value?.content?.['application/json'] ?? []);
    expect(contents.length).toBeGreaterThan(10);
    expect(contents.filter(({ examples }) => examples?.example?.value === undefined)).toEqual([]);
  });

  it('has a reader, which loads everything from here', async () => {
    const read = (path: string) => fetch(`${app.url}${ADDRESSES[door]}/${path}`, { redirect: 'manual' });
    const page = await read('docs');
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    const html = await page.text();
    expect(html).toContain(`<title>${document.info.title}</title>`);
    const files = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, file]) => file);
    expect(files).toEqual(['docs/swagger-ui.css', 'docs/swagger-ui-bundle.js', 'docs/start.js']);
    for (const file of files) expect([file, (await read(file)).status]).toEqual([file, 200]);
    expect((await read('docs/')).headers.get('location')).toBe('../docs');
    expect((await read('docs/package.json')).status).toBe(404);
  });
});

describe('what a document says of an operation', () => {
  let paths: Json;
  let components: Json;

  const app = useShop();
  beforeAll(async () => {
    ({ paths, components } = (await (await fetch(`${app.url}/openapi.json`)).json()) as Json);
  });

  const headersOf = (name: string) =>
    paths[`/v1/${name}`].post.parameters.map((parameter: Json) => parameter.name);

  it.each([
    ['get_order', [], undefined],
    ['create_brand', ['Idempotency-Key'], undefined],
    ['set_order_status', ['Idempotency-Key', 'If-Match'], '#/components/responses/PreconditionFailed'],
    ['undo_change', ['Idempotency-Key'], '#/components/responses/PreconditionFailed'],
    ['apply_change', ['Idempotency-Key'], '#/components/responses/PreconditionFailed'],
    ['preview_change', [], undefined],
  ])('%s takes the headers %j', (name, headers, changed) => {
    expect(headersOf(name)).toEqual(headers);
    expect(paths[`/v1/${name}`].post.responses[412]?.$ref).toBe(changed);
    expect(Object.keys(paths[`/v1/${name}`].post.responses).filter((status) => status !== '412')).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '429',
      '500',
      '503',
    ]);
  });

  it('says that every bound of a time is included, which is true', async () => {
    const { paths: pages } = (await (await fetch(`${app.url}/dashboard/openapi.json`)).json()) as Json;
    const bounds = pages['/dashboard/api/stores/{storeId}/orders/export.csv'].get.parameters.filter(
      ({ name }: Json) => /(From|To)$/.test(name),
    );
    expect(bounds).toHaveLength(4);
    expect(
      bounds.filter(({ description }: Json) => !/at this moment or (earlier|later)\.$/.test(description)),
    ).toEqual([]);
  });

  it('says that a feed always has a cursor, so that no pager waits for the last page', () => {
    const { OrderPage, EventPage } = components.schemas;
    expect(OrderPage.properties.nextCursor.type).toEqual(['string', 'null']);
    expect(EventPage.properties.nextCursor.type).toBe('string');
  });

  it('has the changelog beside it', async () => {
    const response = await fetch(`${app.url}/changelog`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/markdown; charset=utf-8',
    ]);
    expect(await response.text()).toBe(readFileSync('CHANGELOG.md', 'utf8'));
  });

  it('has what generators need: no answer named as a schema, no slash at the end of a pattern', () => {
    const { responses, schemas } = components;
    expect(Object.keys(responses).filter((name) => name in schemas)).toEqual([]);
    const text = JSON.stringify({ paths, schemas });
    const patterns = [...text.matchAll(/"pattern":"([^"]*)"/g)].map(([, pattern]) => pattern);
    expect(patterns.length).toBeGreaterThan(5);
    expect(patterns.filter((pattern) => pattern.endsWith('/'))).toEqual([]);
  });

  it('declares the headers of answers, an optional body of no input, and no schema that is a boolean', () => {
    const { headers } = components.responses.OrderAnswer;
    expect(Object.keys(headers)).toEqual([
      'X-Request-Id',
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
      'Idempotent-Replayed',
    ]);
    expect(Object.keys(components.responses.RateLimited.headers)).toContain('Retry-After');
    expect(Object.keys(components.responses.Unavailable.headers)).toEqual(['Retry-After']);
    const { requestBody } = paths['/v1/get_settings'].post;
    expect([requestBody.required, requestBody.content['application/json'].examples.example.value]).toEqual([
      false,
      {},
    ]);
    const booleans = Object.values<Json>(components.schemas).flatMap(({ allOf = [] }) =>
      allOf.flatMap(({ properties = {} }: Json) => Object.values(properties)),
    );
    expect(booleans.filter((schema) => typeof schema === 'boolean')).toEqual([]);
  });

  it('tags those beyond the specification', () => {
    expect(paths['/v1/update_stocks'].post.tags).toEqual(['Products', 'beyond']);
    expect(paths['/v1/update_stock'].post.tags).toEqual(['Products']);
  });
});

describe('the name of a schema', () => {
  class ThingRecord {
    @Text() name: string;
  }
  class CreateThingInput {
    @Nested(() => ThingRecord) thing: ThingRecord;
  }

  it('is that of the class, and says what callers send', () => {
    const schemas = new NamedSchemas();
    expect(schemas.output(ThingRecord)).toEqual({ $ref: '#/components/schemas/Thing' });
    expect(schemas.input(CreateThingInput)).toEqual({ $ref: '#/components/schemas/CreateThingInput' });
    expect(schemas.pageOf(ThingRecord, true)).toMatchObject({ name: 'ThingPage' });
    expect(Object.keys(schemas.all())).toEqual(['CreateThingInput', 'Thing', 'ThingInput', 'ThingPage']);
  });

  it('belongs to one class only', () => {
    const schemas = new NamedSchemas();
    schemas.output(ThingRecord);
    const others = [{ Thing: class Thing {} }, { ThingRecord: class ThingRecord {} }].flatMap((named) =>
      Object.values(named),
    );
    for (const other of others)
      expect(() => schemas.output(other)).toThrow('would be named Thing: rename one of the classes');
    schemas.input(CreateThingInput);
    expect(() => schemas.input(CreateThingInput, ['thing'])).toThrow('would be named CreateThingInput');
  });
});
