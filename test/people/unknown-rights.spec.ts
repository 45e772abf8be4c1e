import { Controller, Module } from '@nestjs/common';
import { DiscoveryService, LazyModuleLoader, MetadataScanner } from '@nestjs/core';
import { GROUPS, includesScope, ROLES, type Scope, scopeOf, SCOPES } from '../../src/access/rights.js';
import { declaredRoutes } from '../../src/doors/dashboard/dashboard-pages.js';
import { LiveStreams } from '../../src/doors/dashboard/live/live-streams.js';
import { CallInterceptor } from '../../src/platform/call/call.interceptor.js';
import { Operation } from '../../src/platform/call/endpoint.js';
import { OperationRegistry } from '../../src/platform/call/operation.registry.js';
import { BudgetGuard } from '../../src/platform/rate-limit/budget.guard.js';
import { Deleted, IdInput } from '../../src/platform/schema/pages/page.dto.js';
import { PROOF, refusal, StorePage } from '../doors/dashboard/browser.js';
import { callTool, LIST_TOOLS, useOauth } from '../doors/oauth/oauth-app.js';
import { choices, Person } from '../doors/oauth/person.js';
import { ownDatabase } from '../support/database/own-database.js';
import type { TestStore } from '../support/test-app.js';

/** The database's own checks are dropped, as if another version of the service stored what they refuse. */
describe('a role, scope or group that is not in the tables of rights', () => {
  let store: TestStore;
  let owner: StorePage;
  let member: StorePage & { email: string; userId: string };
  let person: Person;

  const oauth = useOauth(async () => ({ database: await ownDatabase() }));
  beforeAll(async () => {
    for (const [table, names] of [
      ['store_members', ROLES],
      ['invitations', ROLES],
      ['api_tokens', SCOPES],
      ['oauth_grants', SCOPES],
    ] as const) {
      const [check] = await oauth.app.query<{ name: string; definition: string }>(
        `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
         where conrelid = $1::regclass and contype = 'c'
         and pg_get_constraintdef(oid) ~ '\\m(role|scope)\\M'`,
        [table],
      );
      const checked = [...check.definition.matchAll(/'(\w+)'/g)].map(([, name]) => name);
      expect([table, checked]).toEqual([table, names]);
      await oauth.app.query(`alter table ${table} drop constraint ${check.name}`);
    }
  });
  beforeEach(async () => {
    store = await oauth.app.store();
    owner = await StorePage.ofOwner(store);
    member = await StorePage.ofStaff(store, owner);
    person = new Person(oauth.issuer, member.email);
  });

  const makePacker = () =>
    oauth.app.query(`update store_members set role = 'packer' where user_id = $1`, [member.userId]);
  const names = () =>
    oauth.app.nest
      .get(OperationRegistry)
      .list()
      .map(({ name }) => name);
  const statuses = async (token: string) =>
    Promise.all(names().map(async (name) => [name, (await store.call(name, {}, { token })).status]));
  const allRefused = () => names().map((name) => [name, 403]);

  it('includes no scope, and no scope includes it', () => {
    const unknown = 'everything' as Scope;
    for (const role of ['packer', '', 'constructor', '__proto__']) expect(scopeOf(role)).toBeNull();
    for (const scope of SCOPES)
      expect([null, unknown].map((held) => includesScope(held, scope))).toEqual([false, false]);
    for (const scope of [...SCOPES, unknown]) expect(includesScope(scope, unknown)).toBe(false);
  });

  it('as a role, opens no page of the store, and runs no operation', async () => {
    expect((await member.send('POST', 'operations/create_brand', { name: 'A', slug: 'a' })).status).toBe(200);
    await makePacker();
    for (const name of names())
      expect([name, await member.send('POST', `operations/${name}`, {})]).toMatchObject([
        name,
        refusal(403, 'forbidden'),
      ]);
    for (const { method, path } of declaredRoutes().filter(({ path }) => path.includes(':storeId'))) {
      const address = path.replace('stores/:storeId/', '').replace(/:\w+/g, '1');
      const answer = await member.send(method, address, method === 'GET' ? undefined : {});
      expect([method, path, answer]).toMatchObject([method, path, refusal(403, 'forbidden')]);
    }
    expect((await member.browser.get('stores')).body.data.items).toEqual([]);
    const { items } = await owner.data('GET', 'audit?operation=refund_order&take=1');
    expect(items).toMatchObject([{ outcome: 'forbidden', actor: { id: member.userId } }]);
  });

  it('as a role, ends the open streams of a member', async () => {
    const stream = await member.browser.open(`stores/${store.id}/events`);
    expect(stream.status).toBe(200);
    await makePacker();
    await oauth.app.nest.get(LiveStreams, { strict: false }).check();
    expect(await stream.text()).toMatch(/^retry/);
  });

  it('as a role, stops the apps that a member has let in, and lets no other in', async () => {
    const decision = { store: store.id, scope: 'write' };
    const v1 = { resource: `${oauth.issuer}/v1` };
    const { access_token: token } = await oauth.tokens(person, v1, decision);
    const { access_token: agent } = await oauth.tokens(person, {}, decision);
    expect((await store.call('list_orders', {}, { token })).status).toBe(200);
    await makePacker();
    expect(await statuses(token)).toEqual(allRefused());
    expect(await (await oauth.mcp(agent, LIST_TOOLS)).json()).toMatchObject({ result: { tools: [] } });
    const answer = await oauth.mcp(agent, callTool('list_orders'));
    expect(await answer.json()).toMatchObject({ result: { isError: true } });

    const asked = await person.arrive(oauth.request());
    expect([choices(asked, 'store'), choices(asked, 'scope')]).toEqual([[], []]);
    const { status } = await person.answer(asked, { ...decision, scope: 'read', decision: 'allow' });
    expect(status).toBe(403);
  });

  it('as a scope, runs no operation', async () => {
    const { id, token } = await owner.data('POST', 'tokens', { name: 'all', scope: 'admin', ...PROOF });
    await oauth.app.query(`update api_tokens set scope = 'everything' where id = $1`, [id]);
    expect(await statuses(token)).toEqual(allRefused());
  });

  it('as a group, lets the service not start, and each group of the table has operations', async () => {
    const { nest } = oauth.app;
    const parts = [nest.get(CallInterceptor), nest.get(BudgetGuard)] as const;
    const registry = new OperationRegistry(nest.get(DiscoveryService), new MetadataScanner(), ...parts);
    registry.onModuleInit();
    expect(registry.groups()).toEqual(Object.keys(GROUPS).sort());

    @Controller('v1')
    class PackingController {
      @Operation({ name: 'pack', scope: 'read', summary: 'Pack', input: IdInput, output: Deleted })
      pack() {}
    }
    @Module({ controllers: [PackingController] })
    class PackingModule {}
    await nest.get(LazyModuleLoader).load(() => PackingModule);
    const again = new OperationRegistry(nest.get(DiscoveryService), new MetadataScanner(), ...parts);
    expect(() => again.onModuleInit()).toThrow('operation pack: src/access has no group packing');
  });
});
