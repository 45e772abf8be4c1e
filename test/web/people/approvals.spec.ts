import { createHash, randomBytes } from 'node:crypto';
import { Person } from '../../doors/oauth/person.js';
import { axe, expect, open, OWNER, run, SERVICE, STORE, test } from '../support.js';

const CALLBACK = 'http://localhost:5000/callback';

/** Sends a form or a message to the service, as an app does, without a browser. */
async function post(path: string, sent: object, headers: Record<string, string> = {}): Promise<any> {
  const isForm = path === '/oauth/token';
  const response = await fetch(SERVICE() + path, {
    method: 'POST',
    headers: { ...(!isForm && { 'Content-Type': 'application/json' }), ...headers },
    body: isForm ? new URLSearchParams(sent as Record<string, string>) : JSON.stringify(sent),
  });
  return response.json();
}

/** An app that its person has let in with "Ask me first". @returns what calls its tools */
async function letIn() {
  const metadata = { client_name: 'Helper', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' };
  const { client_id } = await post('/oauth/register', metadata);
  const verifier = randomBytes(32).toString('base64url');
  const asked = { client_id, redirect_uri: CALLBACK, resource: `${SERVICE()}/mcp` };
  const query = new URLSearchParams({
    ...asked,
    ...{ response_type: 'code', scope: 'read write', state: 'st', code_challenge_method: 'S256' },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  });
  const { email, password } = OWNER();
  // Its owner may have stores that other tests made.
  const decision = { store: STORE(), scope: 'write', fields: { askFirst: 'true' } };
  const { callback } = await new Person(SERVICE(), email, password).decide(
    `${SERVICE()}/oauth/authorize?${query.toString()}`,
    decision,
  );
  const code = callback!.searchParams.get('code')!;
  const grant = { ...asked, grant_type: 'authorization_code', code, code_verifier: verifier };
  const { access_token } = await post('/oauth/token', grant);
  return async (name: string, input: object) => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
    const headers = {
      Authorization: `Bearer ${access_token}`,
      Accept: 'application/json, text/event-stream',
    };
    return (await post('/mcp', message, headers)).result.structuredContent.data;
  };
}

test('what an app wants to do waits on a page: Apply does it, Decline does not', async ({ page }) => {
  const productId = `approved-${Date.now()}`;
  const made = { productId, title: `Cup ${productId}`, description: '', images: [], price: 20 };
  const images = [`${SERVICE()}/dashboard/favicon.svg`];
  await run(page.request, 'create_product', { ...made, images });
  const price = async () =>
    (await run<{ price: number }>(page.request, 'get_product', { id: productId })).price;
  const call = await letIn();
  const held = await call('update_prices', { items: [{ productId, price: 1 }] });
  expect(held).toMatchObject({ preview: true });
  expect(await price()).toBe(20);

  await open(page, 'approvals');
  const first = page.getByRole('region').filter({ hasText: productId });
  await expect(first).toContainText('Helper');
  // What the service warns of is said in the reader's words.
  await expect(first.getByRole('alert')).toHaveText(
    /^Shoppers paid .*20.* and will now pay .*1.*\. Is that meant\?$/,
  );
  const row = first.getByRole('row', { name: new RegExp(productId) });
  await expect(row.getByRole('cell')).toHaveText(['price', /20/, /1/]);
  expect(await axe(page)).toEqual([]);
  await first.getByRole('button', { name: 'Decline' }).click();
  await expect(first.getByRole('button')).toHaveCount(0);
  expect(await price()).toBe(20);

  const again = await call('update_prices', { items: [{ productId, price: 2 }] });
  expect(again.previewId).not.toBe(held.previewId);
  await open(page, 'approvals');
  const second = first.filter({ has: page.getByRole('button', { name: 'Apply' }) });
  await second.getByRole('button', { name: 'Apply' }).click();
  await expect(first.getByRole('button')).toHaveCount(0);
  expect(await price()).toBe(2);
  expect(await call('apply_change', { previewId: again.previewId })).toMatchObject({ updated: 1 });
});
