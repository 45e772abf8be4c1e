import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  Controller,
  Injectable,
  Module,
  Param,
  type Type,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { CallInterceptor } from '../../src/platform/call/call.interceptor.js';
import { DECLARED, type Door, type Endpoint, Operation } from '../../src/platform/call/endpoint.js';
import { OperationRegistry } from '../../src/platform/call/operation.registry.js';
import { BudgetGuard } from '../../src/platform/rate-limit/budget.guard.js';
import { NoInput } from '../../src/platform/schema/pages/page.dto.js';
import { StoreDatabase } from '../../src/platform/store/store-context.js';
import { Browser, StorePage } from '../doors/dashboard/browser.js';
import { RawClient } from '../doors/mcp/raw-client.js';
import { BotWebhook, MiniApp } from '../doors/storefront/mini-app.js';
import { ownDatabase } from '../support/database/own-database.js';
import { paced } from '../support/waiting/paced.mjs';
import { type TestStore, useShop, useShopWithMessenger } from '../support/test-app.js';

/** What a call can do wrong, and the code of its refusal. */
const CODES = {
  caller: 'invalid_token',
  name: /^(unknown_tool|not_found)$/,
  budget: 'rate_limited',
  access: 'forbidden',
  input: 'invalid_input',
} as const;
type Fault = keyof typeof CODES;
type Does = (fault: Fault) => boolean;

/**
 * One request at a door; `does` decides what is wrong with it. @returns the refusal's code, undefined if it
 * succeeded
 */
type Ask = (does: Does) => Promise<() => Promise<string | undefined>>;

const LIMIT = 4;

/** docs/behaviour.md §1.4: a call with several faults is refused for the first. */
describe('the order of checks', () => {
  let store: TestStore;

  const budgets = [
    'RATE_LIMIT_READ',
    'RATE_LIMIT_WRITE',
    'SESSION_RATE_LIMIT_READ',
    'SESSION_RATE_LIMIT_WRITE',
  ];
  const limits = Object.fromEntries(budgets.map((name) => [name, String(LIMIT)]));
  const { app, messenger } = useShopWithMessenger({ env: limits });
  beforeEach(async () => {
    store = await app.store();
  });

  const brand = () => ({ name: 'Acme', slug: `b-${randomUUID()}` });
  const codeOf = ({ body }: { body: { error?: { code: string } } }) => body.error?.code;

  const operation: Ask = async (does) => {
    const token = does('caller') ? 'nonsense' : store.tokens[does('access') ? 'read' : 'write'];
    return async () =>
      codeOf(
        await store.call(does('name') ? 'nope' : 'create_brand', does('input') ? '[' : brand(), { token }),
      );
  };

  const tool: Ask = async (does) => {
    const client = new RawClient(
      app,
      does('caller') ? 'nonsense' : store.tokens[does('access') ? 'read' : 'write'],
    );
    return async () => {
      const name = does('name') ? 'nope' : 'create_brand';
      const { status, messages } = await client.send('tools/call', {
        name,
        arguments: does('input') ? {} : brand(),
      });
      if (status === 401) return 'invalid_token';
      return messages[0].error
        ? messages[0].error.data.error.code
        : codeOf({ body: messages[0].result.structuredContent });
    };
  };

  const pageOf = async (does: Does): Promise<StorePage> => {
    if (does('caller')) return new StorePage(new Browser(app), store.id);
    const owner = await StorePage.ofOwner(store);
    return does('access') ? StorePage.ofStaff(store, owner) : owner;
  };

  const operationOnTheDashboard: Ask = async (does) => {
    const page = await pageOf(does);
    const { id } = await store.data('create_brand', brand());
    const input = does('input') ? { id } : { id, confirm: true };
    return async () =>
      codeOf(await page.send('POST', `operations/${does('name') ? 'nope' : 'delete_brand'}`, input));
  };

  const pageOfTheDashboard: Ask = async (does) => {
    const { browser } = await pageOf(does);
    const storeId = does('name') ? randomUUID() : store.id;
    const input = { name: does('input') ? '' : 'mine', scope: 'read' };
    return async () => codeOf(await browser.post(`stores/${storeId}/tokens`, input));
  };

  const storefront: Ask = async (does) => {
    await BotWebhook.connect(store, messenger);
    const shopper = new MiniApp(
      does('name') ? ({ ...store, app, id: randomUUID() } as TestStore) : store,
      { id: '5' },
      {
        token: does('caller') ? store.botToken.replace('AAH', 'BBB') : store.botToken,
      },
    );
    if (does('access')) {
      await new MiniApp(store, { id: '5' }).data('GET', 'me');
      await app.query('update customers set is_banned = true where store_id = $1', [store.id]);
    }
    return async () => codeOf(await shopper.send('POST', 'visits', does('input') ? { at: 1 } : {}));
  };

  const botUpdate: Ask = async (does) => {
    const bot = await BotWebhook.connect(store, messenger);
    const headers = does('caller') ? { 'X-Telegram-Bot-Api-Secret-Token': 'nonsense' } : undefined;
    return async () => codeOf(await bot.send(does('input') ? '[]' : { update_id: 1 }, headers));
  };

  const EVERY: Fault[] = ['caller', 'name', 'budget', 'access', 'input'];
  // The storefront checks callers with the store's bot, so the store comes first. The messenger has one
  // endpoint and no budget.
  const doors: [door: string, ask: Ask, faults: Fault[]][] = [
    ['/v1', operation, EVERY],
    ['/mcp', tool, EVERY],
    ['an operation on the dashboard', operationOnTheDashboard, EVERY],
    ['a page of the dashboard', pageOfTheDashboard, EVERY],
    ['the storefront', storefront, ['name', 'caller', 'budget', 'access', 'input']],
    ['the bot', botUpdate, ['caller', 'input']],
  ];
  const rows = doors.flatMap(([door, ask, faults]) =>
    [...faults, 'nothing' as const].flatMap((first, i) => [
      { door, ask, first, does: (fault: Fault) => faults.indexOf(fault) >= i, all: true },
      { door, ask, first, does: (fault: Fault) => fault === first, all: false },
    ]),
  );

  it.each(rows)(
    'at $door refuses a call for $first first (with every later fault too: $all)',
    async ({ ask, first, does }) => {
      const send = await ask(does);
      if (does('budget') && first !== 'caller') for (let i = 0; i < LIMIT; i++) await send();
      const code = await send();
      if (first === 'nothing') expect(code).toBeUndefined();
      else expect(code).toMatch(CODES[first]);
    },
  );

  it('admits no shopper whose input is not valid', async () => {
    await BotWebhook.connect(store, messenger);
    const newcomer = new MiniApp(store, { id: '77' });
    const customers = () => app.query('select id from customers where store_id = $1', [store.id]);
    expect(codeOf(await newcomer.send('POST', 'visits', { at: 1 }))).toBe('invalid_input');
    expect(codeOf(await newcomer.send('POST', 'orders', {}))).toBe('invalid_input');
    expect(await customers()).toEqual([]);
    expect(codeOf(await newcomer.get('catalog'))).toBeUndefined();
    expect(await customers()).toEqual([{ id: '77' }]);
  });
});

/**
 * The files that a reader opens to follow get_order from the socket to SQL and back. Its steps are in
 * call.interceptor.ts.
 */
describe('get_order from the socket to SQL and back', () => {
  const ROOT = path.resolve(__dirname, '../..');
  const MOST = 24;
  const CALLS = 6;
  const PAUSE_MS = 100;
  /** Longer than the period of every timer that a call might meet. */
  const IDLE_MS = 1_500;
  /** The declaration, and what runs in the database. */
  const ENDS = ['groups/orders/orders.controller.ts', 'groups/orders/order/order.statements.ts'];
  const LISTED = [
    ...readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8').matchAll(/^\| `([\w./-]+\.ts)` +\|/gm),
  ].map(([, file]) => file);

  // Its own, because the service hears of every change in its database, those of other tests included.
  const app = useShop(async () => ({ database: await ownDatabase() }));

  /** In compiled modules, the name of an import is read by such a function. */
  const isRead = (functionName: string) => /^get( |$)/.test(functionName);

  /** Our own files in which a function runs during the work. */
  async function filesUsedBy(work: () => Promise<unknown>): Promise<string[]> {
    const session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await session.post('Profiler.takePreciseCoverage');
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    session.disconnect();
    return result
      .filter(({ functions }) =>
        functions.some(({ functionName, ranges }) => ranges[0].count > 0 && !isRead(functionName)),
      )
      .map(({ url }) => path.relative(ROOT, url.startsWith('file:') ? fileURLToPath(url) : url))
      .flatMap((file) => /^(?:dist\/)?src\/(.*)\.[jt]s$/.exec(file)?.[1] ?? [])
      .map((file) => `${file}.ts`);
  }

  it(`runs through no other files than the ${MOST} that CONTRIBUTING.md lists`, async () => {
    const store = await app.store();
    const { productId } = await store.product();
    const { id: orderId } = await store.place({ items: [{ productId, quantity: 1 }] });
    const getOrder = () => store.data('get_order', { orderId });
    // The first call prepares and caches.
    await getOrder();
    // Code that a timer or a notification happens to run is not part of the call. It runs without calls too,
    // and not in every one of several calls.
    const beside = await filesUsedBy(() => paced(IDLE_MS));
    const ways: string[][] = [];
    for (let i = 0; i < CALLS; i++) {
      ways.push(await filesUsedBy(getOrder));
      await paced(PAUSE_MS);
    }
    const way = ways[0].filter(
      (file) => !beside.includes(file) && ways.every((other) => other.includes(file)),
    );
    const files = [...new Set([...way, ...ENDS])].sort();
    expect(files).toContain('platform/call/call.interceptor.ts');
    expect(LISTED.length).toBeLessThanOrEqual(MOST);
    expect(files.filter((file) => !LISTED.includes(file))).toEqual([]);
    expect(LISTED.filter((file) => !existsSync(path.join(ROOT, 'src', file)))).toEqual([]);
  });
});

describe('an endpoint', () => {
  @Injectable()
  class Anybody {
    canActivate = () => true;
  }
  const DOOR: Door = { name: 'storefront', prefix: 'test', guard: Anybody };
  const endpoint = (stated: Pick<Endpoint, 'before'> = {}) =>
    Operation({
      ...stated,
      door: DOOR,
      method: 'POST',
      path: 'thing',
      summary: 'A thing',
      output: NoInput,
    });
  class Own {
    transform = (value: unknown) => value;
    intercept = () => undefined;
    canActivate = () => true;
  }

  const start = async (controller: Type) => {
    const unused = [CallInterceptor, BudgetGuard, StoreDatabase].map((provide) => ({
      provide,
      useValue: null,
    }));
    const providers = [OperationRegistry, Anybody, ...unused];
    class Root {}
    Module({ imports: [DiscoveryModule], controllers: [controller], providers })(Root);
    const app = await NestFactory.createApplicationContext(Root, { logger: false, abortOnError: false });
    await app.close();
  };

  it('starts without a pipe, interceptor or parameter decorator of its own', async () => {
    @Controller('test')
    class Plain {
      @endpoint()
      thing() {}
    }
    await start(Plain);
  });

  it.each<[string, () => Type]>([
    [
      'a pipe',
      () => {
        @Controller('test')
        class Piped {
          @UsePipes(Own as never)
          @endpoint()
          thing() {}
        }
        return Piped;
      },
    ],
    [
      'an interceptor',
      () => {
        @Controller('test')
        @UseInterceptors(Own as never)
        class Intercepted {
          @endpoint()
          thing() {}
        }
        return Intercepted;
      },
    ],
    [
      'a guard',
      () => {
        @Controller('test')
        class Guarded {
          @UseGuards(Own as never)
          @endpoint()
          thing() {}
        }
        return Guarded;
      },
    ],
    [
      'a parameter decorator',
      () => {
        @Controller('test')
        class Parameterized {
          @endpoint()
          thing(@Param('id') id: string) {
            return id;
          }
        }
        return Parameterized;
      },
    ],
  ])('stops the start if it has %s of its own, which would not run', async (what, controller) => {
    await expect(start(controller())).rejects.toThrow(
      `thing is an endpoint and has ${what} of its own, which would not run`,
    );
  });

  it('stops the start if it asks outside by a method that its controller has not', async () => {
    @Controller('test')
    class Asking {
      @endpoint({ before: 'ask' })
      thing() {}
    }
    await expect(start(Asking)).rejects.toThrow('thing is an endpoint and has no method ask');
  });

  it('stops the start if it is an operation that asks outside and can be previewed', () => {
    const asking = (preview?: 'none') => () =>
      Operation({
        ...{ name: 'ask_outside', scope: 'write', summary: 'Ask', before: 'ask', preview },
        ...{ input: NoInput, output: NoInput },
      });
    expect(asking()).toThrow("operation ask_outside has a step before it, so its preview must be 'none'");
    expect(asking('none')).not.toThrow();
    DECLARED.delete('ask_outside');
  });
});
