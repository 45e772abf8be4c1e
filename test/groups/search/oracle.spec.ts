import fc from 'fast-check';
import { type TestStore, useShop } from '../../support/test-app.js';

/** Letters that make words, by script. */
const SCRIPTS = [
  'abcdefghiklmnoprstuéñüçßøåłđ',
  'абвгґдеёєжзиіїйклмнопрстуўцщюя',
  'αβγδεζηθικλμνξοπρστυφχψωάέώ',
  'אבגדהוזחטיכלמנסעפצקרשת',
  'ابتثجحخدذرزسشصضطظعغفقكلمنهوي',
  'कखगघचछजटडतथदधनपफबभमयरलवशसह',
  'กขคงจฉชซญดตถทนบปผพฟมยรลวสห',
  '中文字書店茶紅緑花山水火木金土',
  'あいうえおかがきぎくぐけげアイウエオカガキギ',
  '가나다라마바사아자차카타파하한글',
  'აბგდევზთიკლმნოპჟრსტუფქღყშჩ',
  'աբգդեզէըթժիլխծկհձղճմյնշոչպջռ',
];
const word = fc
  .constantFrom(...SCRIPTS)
  .chain((letters) => fc.array(fc.constantFrom(...letters), { minLength: 3, maxLength: 7 }))
  .map((letters) => letters.join(''));
const text = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));

/** The plainest rule by which two texts are the same to people. */
const plain = (given: string) => given.normalize('NFKC').toLowerCase().normalize('NFKC');

/** What is typed for a word: the word, in capitals, in the other form of Unicode, its middle. */
const typedFor = (given: string) => [
  given,
  given.toUpperCase(),
  given.normalize('NFD'),
  ...(given.length > 4 ? [given.slice(1, -1)] : []),
];

interface Written {
  id: unknown;
  texts: string[];
}

describe('a search finds whatever reading every record would find', () => {
  const app = useShop();
  let store: TestStore;
  const RECORDS = 24;
  const [titles, names, streets] = [1, 2, 3].map((seed) => fc.sample(text, { numRuns: RECORDS, seed }));
  const written = { find_products: [], find_customers: [], find_orders: [] } as Record<string, Written[]>;

  beforeAll(async () => {
    store = await app.store();
    const { items } = await store.data('create_products', {
      items: titles.map((title, n) => ({
        ...{ productId: `p-${n}`, title, description: '', price: 1, tags: streets[n] },
        images: ['https://images.example/a.png'],
      })),
    });
    for (const [n, title] of titles.entries()) {
      written.find_products.push({ id: items[n].id, texts: [title, streets[n]] });
      const customer = { id: String(8_000 + n), firstName: names[n] };
      const order = await store.place(
        { items: [{ productId: `p-${n}`, quantity: 1 }], shippingAddress: { street: streets[n] } },
        customer,
      );
      written.find_customers.push({ id: customer.id, texts: [names[n]] });
      written.find_orders.push({ id: order.id, texts: [names[n], title, streets[n]] });
    }
  });

  it.each(['find_products', 'find_customers', 'find_orders'])('%s', async (operation) => {
    const records = written[operation];
    const missed: string[] = [];
    let sought = 0;
    for (const record of records) {
      const words = record.texts.flatMap((one) => one.split(' '));
      for (const typed of words.flatMap(typedFor).filter((_, i) => i % 3 === 0)) {
        const { items } = await store.data(operation, { text: typed, take: 100 });
        const found = new Set((items as { id: unknown }[]).map(({ id }) => id));
        const wanted = records.filter(({ texts }) => texts.some((one) => plain(one).includes(plain(typed))));
        sought += wanted.length;
        for (const { id, texts } of wanted)
          if (!found.has(id)) missed.push(`${typed} in ${texts.join(' | ')}`);
      }
    }
    expect(missed).toEqual([]);
    expect(sought).toBeGreaterThan(records.length);
  });
});
