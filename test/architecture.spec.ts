import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const SRC = path.resolve(__dirname, '../src');

/** Which part of the house may import which; everything may import itself. House rule: imports go one way. */
const ALLOWED: Record<string, string[]> = {
  // Tables alone, which all of them may import.
  access: [],
  platform: [],
  'embedded-postgres': ['platform'],
  messenger: ['platform'],
  people: ['platform'],
  stores: ['platform', 'people'],
  webhooks: ['platform'],
  search: ['platform'],
  jobs: ['platform', 'stores', 'webhooks', 'groups', 'notices'],
  groups: ['platform', 'messenger', 'stores', 'webhooks', 'search'],
  notices: ['platform', 'messenger', 'stores', 'webhooks', 'groups'],
  doors: ['platform', 'messenger', 'people', 'stores', 'webhooks', 'search', 'groups', 'notices'],
  // The command line runs the application.
  operator: [
    'start/app.module.ts',
    'start/group-modules.ts',
    'start/runtime.ts',
    'start/open-database.ts',
    'embedded-postgres',
    'platform',
    'jobs',
    'messenger',
    'people',
    'stores',
    'webhooks',
    'search',
    'groups',
  ],
};

/**
 * The rooms of the platform: each imports only those before it, types included. A file at the top of
 * platform/ is a room of its own.
 */
const PLATFORM_ROOMS = [
  ['problems'],
  ['errors', 'held', 'money', 'text', 'clock', 'ids', 'timers', 'version', 'peer', 'disk'],
  ['config'],
  ['redis'],
  ['logging'],
  ['observability'],
  ['crypto'],
  ['schema'],
  ['caps'],
  ['database'],
  ['store'],
  ['auth'],
  ['rate-limit'],
  ['call'],
  ['http'],
  ['foundations'],
  ['platform.module'],
];

/** Between doors only these. */
const ALLOWED_DOORS: Record<string, string[]> = {
  // A person who decides about an app is signed in as on the dashboard, and pages of other hosts are kept out
  // as at /mcp.
  oauth: ['dashboard', 'mcp'],
  // An order by hand is asked, quoted and answered as one of the shop.
  dashboard: ['storefront'],
  // The name of the session's cookie.
  openapi: ['dashboard'],
  'bot-updates': ['storefront'],
  // The shop is served as the other pages are.
  shop: ['pages'],
};

/**
 * Between groups only these; a file at the top of groups/ is for all of them. Pricing an order takes the
 * catalog's, the codes' and the form's rules.
 */
const ALLOWED_GROUPS: Record<string, string[]> = {
  orders: [
    'customers',
    'invoice-fields',
    'monetization',
    'products',
    'promocodes',
    'checkout',
    'bot',
    'payment-providers',
  ],
  // Customers are found by what they bought.
  customers: ['products'],
  // An invoice is for an order, by its provider and the store's bot.
  payments: ['orders', 'bot', 'checkout', 'invoice-fields', 'payment-providers'],
  campaigns: ['customers', 'bot'],
  // A report adds up what the totals of orders are made of.
  analytics: ['orders'],
  // An event carries the order as get_order returns it.
  events: ['orders'],
  // A payment_button of the form is a provider too.
  checkout: ['payment-providers'],
  // A provider is tested by an invoice of the store's bot.
  'payment-providers': ['bot'],
  // Whether shoppers can pay is what an order's payment method is checked against.
  overview: ['payment-providers'],
};

/** Files of ours that a file imports, also those that it loads later. */
const IMPORTED = /(?:from\s+|import\s+|import\(\s*)'(\.{1,2}(?:\/[^']+)?)'/g;

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => file.split(path.sep).join('/'));

function importsOf(file: string): string[] {
  const text = readFileSync(path.join(SRC, file), 'utf8');
  return [...text.matchAll(IMPORTED)].map(([, target]) =>
    path.posix.join(path.posix.dirname(file), target.replace(/\.js$/, '.ts')),
  );
}

describe('architecture', () => {
  it('reads every source file', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(files.flatMap(importsOf).length).toBeGreaterThan(200);
  });

  it('lets imports go one way only', () => {
    const wrong = files.flatMap((file) => {
      const room = file.split('/')[0];
      // These put the rooms together.
      if (room === file || room === 'start') return [];
      const allowed = ALLOWED[room];
      if (!allowed) return [`${room}/ has no line in ALLOWED`];
      return importsOf(file)
        .filter((target) => !target.startsWith('../'))
        .filter((target) => ![room, 'access', ...allowed].includes(target.split('/')[0]))
        .filter((target) => !allowed.includes(target))
        .map((target) => `${file} imports ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  it('lets no group import another group', () => {
    const wrong = files
      .filter((file) => file.startsWith('groups/'))
      .flatMap((file) => {
        const group = file.split('/')[1];
        return importsOf(file)
          .filter((target) => /^groups\/.+\//.test(target) && target.split('/')[1] !== group)
          .filter((target) => !(ALLOWED_GROUPS[group] ?? []).includes(target.split('/')[1]))
          .map((target) => `${file} imports ${target}`);
      });
    expect(wrong).toEqual([]);
  });

  it('lets no door import another door', () => {
    const wrong = files
      .filter((file) => file.startsWith('doors/'))
      .flatMap((file) => {
        const door = file.split('/')[1];
        return importsOf(file)
          .filter((target) => target.startsWith('doors/') && target.split('/')[1] !== door)
          .filter((target) => !(ALLOWED_DOORS[door] ?? []).includes(target.split('/')[1]))
          .map((target) => `${file} imports ${target}`);
      });
    expect(wrong).toEqual([]);
  });

  it('lets the rooms of the platform import only those below them', () => {
    const roomOf = (file: string) => file.split('/')[1].replace(/\.ts$/, '');
    const height = (file: string) => PLATFORM_ROOMS.findIndex((rooms) => rooms.includes(roomOf(file)));
    const platform = files.filter((file) => file.startsWith('platform/'));
    expect(platform.filter((file) => height(file) < 0)).toEqual([]);
    const wrong = platform.flatMap((file) =>
      importsOf(file)
        .filter(
          (target) =>
            target.startsWith('platform/') &&
            roomOf(target) !== roomOf(file) &&
            height(target) >= height(file),
        )
        .map((target) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('has no circle of imports, also of types alone and of files loaded later', () => {
    expect(circlesOf(files, importsOf)).toEqual([]);
  });

  it('has no file named index, utils, helpers, common, shared or manager', () => {
    expect(
      files.filter((file) => /(^|\/)(index|utils?|helpers?|common|shared|.*manager)(\.|\/)/.test(file)),
    ).toEqual([]);
  });
});

/** What each folder of the pages' sources may import; a file beside them may import all. */
const ALLOWED_WEB: Record<string, string[]> = {
  words: [],
  api: ['words', 'phone.ts', 'painted.ts', 'notify.tsx'],
  parts: ['words', 'api', 'phone.ts', 'painted.ts', 'notify.tsx', 'address.ts', 'registry.ts'],
  pages: ['words', 'api', 'phone.ts', 'painted.ts', 'notify.tsx', 'address.ts', 'registry.ts', 'parts'],
  shell: ['words', 'api', 'phone.ts', 'painted.ts', 'notify.tsx', 'address.ts', 'registry.ts', 'parts'],
};

describe("the pages' sources", () => {
  const WEB = path.resolve(__dirname, '../web/dashboard');
  const sources = readdirSync(WEB, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('api/generated'));
  const targetsOf = (file: string) => {
    const text = readFileSync(path.join(WEB, file), 'utf8');
    return [...text.matchAll(IMPORTED)].flatMap(([, target]) => {
      const address = path.posix.join(path.posix.dirname(file), target);
      return ['.ts', '.tsx', '/index.ts'].map((end) => address + end).filter((one) => sources.includes(one));
    });
  };

  it('import one way only', () => {
    const wrong = sources.flatMap((file) => {
      const [folder] = file.split('/');
      return targetsOf(file)
        .map((target) => ({ target, top: target.split('/')[0] }))
        .filter(({ top }) => top !== folder && ALLOWED_WEB[folder]?.includes(top) === false)
        .map(({ target }) => `${file} imports ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  it('have no circle of imports, also of types alone and of files loaded later', () => {
    expect(sources.flatMap(targetsOf).length).toBeGreaterThan(200);
    expect(circlesOf(sources, targetsOf)).toEqual([]);
  });
});

function circlesOf(all: string[], targetsOf: (file: string) => string[]): string[] {
  const done = new Set<string>();
  const visit = (file: string, trail: string[]): string[] => {
    if (trail.includes(file)) return [[...trail.slice(trail.indexOf(file)), file].join(' -> ')];
    if (done.has(file)) return [];
    const circles = targetsOf(file).flatMap((target) => visit(target, [...trail, file]));
    done.add(file);
    return circles;
  };
  return all.flatMap((file) => visit(file, []));
}
