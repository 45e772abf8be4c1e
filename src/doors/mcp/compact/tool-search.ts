import type { Tool } from '@modelcontextprotocol/server';

/** What is searched: a tool, and the name of its group. */
export interface Searched {
  tool: Tool;
  group: string;
}

/** What people say, and the words of the tools for it. */
const SYNONYMS: Record<string, string> = {
  coupon: 'promocode',
  discount: 'promocode price',
  voucher: 'promocode',
  code: 'promocode',
  inventory: 'stock',
  restock: 'stock',
  quantity: 'stock',
  item: 'product',
  article: 'product',
  size: 'variant',
  colour: 'variant',
  color: 'variant',
  option: 'variant',
  buyer: 'customer',
  client: 'customer',
  shopper: 'customer',
  loyalty: 'bonus cashback monetization',
  point: 'bonus',
  balance: 'bonus',
  referral: 'monetization',
  friend: 'referral monetization',
  reward: 'bonus monetization',
  cashback: 'monetization bonus',
  star: 'payment provider',
  card: 'payment provider',
  pay: 'payment provider invoice',
  delivery: 'checkout ship',
  form: 'checkout',
  field: 'checkout',
  message: 'campaign send',
  broadcast: 'campaign',
  newsletter: 'campaign',
  tell: 'campaign send',
  write: 'message send',
  prize: 'contest',
  giveaway: 'contest',
  collection: 'category',
  section: 'category',
  subcategory: 'category',
  manufacturer: 'brand',
  parcel: 'ship tracking order',
  tracking: 'ship order',
  revenue: 'sales analytics',
  turnover: 'sales analytics',
  history: 'timeline activity',
  log: 'activity',
  who: 'activity',
  revert: 'undo',
  rollback: 'undo',
  greeting: 'welcome',
  tip: 'invoice field',
  subscription: 'billing plan',
  bill: 'invoice billing',
  ban: 'customer',
  block: 'customer',
  remove: 'delete',
  erase: 'delete',
  add: 'create',
  new: 'create',
  make: 'create',
  change: 'update',
  edit: 'update',
  rename: 'update',
  translate: 'update product',
  move: 'update',
  show: 'get list',
  see: 'get list',
};

const LEFT_OUT = new Set(
  (
    'a an the of to in on for and or with by is are be my our we i it this that what which how do does did ' +
    'all every each from at as not no please shop store'
  ).split(' '),
);

const stem = (word: string) =>
  word.length > 4
    ? word
        .replace(/ies$/, 'y')
        .replace(/(?<!s)s$/, '')
        .replace(/(ing|ed)$/, '')
    : word.replace(/(?<=..)(?<!s)s$/, '');

const wordsOf = (text: string): string[] =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !LEFT_OUT.has(word))
    .map(stem);

const SAME = new Map(Object.entries(SYNONYMS).map(([word, same]) => [stem(word), wordsOf(same)]));
/** What a word counts that stands for another one. */
const SYNONYM = 0.6;
/** Where a word counts how much. */
const WEIGHTS = { name: 6, group: 2, text: 2, fields: 1.5 };
/** The longest text that is searched for, in characters. */
const LONGEST = 500;

/** The tools that fit the words, best first. Names of tools in the text come before all others. */
export function searchTools(all: readonly Searched[], asked: string): Tool[] {
  const text = asked.slice(0, LONGEST);
  const wanted = new Map<string, number>();
  const given = wordsOf(text);
  for (const word of given.flatMap((one) => SAME.get(one) ?? [])) wanted.set(word, SYNONYM);
  for (const word of given) wanted.set(word, 1);
  const documents = all.map(({ tool, group }) => ({
    tool,
    name: new Set(wordsOf(tool.name.replaceAll('_', ' '))),
    group: new Set(wordsOf(group.replaceAll('-', ' '))),
    text: new Set(wordsOf(`${tool.title} ${tool.description}`)),
    fields: new Set(wordsOf(Object.keys(tool.inputSchema.properties ?? {}).join(' '))),
  }));
  const parts = Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[];
  const rarity = (word: string) => {
    const having = documents.filter((document) => parts.some((part) => document[part].has(word)));
    return Math.log(1 + all.length / (1 + having.length));
  };
  const weights = [...wanted].map(([word, weight]) => [word, weight * rarity(word)] as const);
  const named = new Set(text.toLowerCase().match(/[a-z]+(?:_[a-z]+)+/g) ?? []);
  const scoreOf = ({ tool, ...document }: (typeof documents)[number]) => {
    const points = weights.map(
      ([word, weight]) =>
        weight * parts.reduce((sum, part) => sum + (document[part].has(word) ? WEIGHTS[part] : 0), 0),
    );
    const meant = [...document.name].filter((word) => wanted.has(word)).length;
    // A short name that is wholly meant goes before a long one that is partly meant.
    const share = 1 + meant / (2 * document.name.size);
    return share * points.reduce((sum, point) => sum + point, 0) + (named.has(tool.name) ? 1_000 : 0);
  };
  return documents
    .map((document) => ({ tool: document.tool, score: scoreOf(document) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.tool.name < b.tool.name ? -1 : 1))
    .map(({ tool }) => tool);
}
