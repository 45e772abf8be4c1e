import { useShop } from '../support/test-app.js';

interface PostmanRequest {
  name: string;
  request: { method: string; url: { raw: string; host: string[]; path: string[] }; body: { raw: string } };
}

describe('the Postman collection', () => {
  const app = useShop();

  it('has a folder for each group, and every operation with the example of its document', async () => {
    const collection = (await (await fetch(`${app.url}/postman.json`)).json()) as {
      info: { schema: string };
      variable: { key: string; value: string }[];
      item: { name: string; item: PostmanRequest[] }[];
    };
    expect(collection.info.schema).toBe(
      'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    );
    expect(collection.variable).toContainEqual({ key: 'token', value: '' });
    const { paths } = (await (await fetch(`${app.url}/openapi.json`)).json()) as {
      paths: Record<string, any>;
    };
    const requests = collection.item.flatMap(({ name, item }) =>
      item.map((request) => ({ folder: name, ...request })),
    );
    expect(requests.map(({ name }) => name).sort()).toEqual(
      Object.values(paths)
        .map(({ post }) => post.operationId)
        .sort(),
    );
    for (const { name, folder, request } of requests) {
      expect(paths[`/v1/${name}`].post.tags).toContain(folder);
      const { raw, host, path } = request.url;
      expect([raw, [...host, ...path].join('/')]).toEqual([`{{baseUrl}}/v1/${name}`, raw]);
      const content = paths[`/v1/${name}`].post.requestBody?.content['application/json'];
      expect(JSON.parse(request.body.raw)).toEqual(content?.examples.example.value ?? {});
    }
  });
});
