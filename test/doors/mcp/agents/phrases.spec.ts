import { type TestStore, useShop } from '../../../support/test-app.js';
import { PHRASES } from './phrases.js';
import { RawClient } from '../raw-client.js';

const LEFT_OUT = new Set('a the of in to is on our by for from did with per each set'.split(' '));
/** The usual parameters of BM25. */
const [K1, B] = [1.2, 0.75];
const ENOUGH = 47;
const FIRST = 5;

const wordsOf = (text: string) =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => (word.length > 3 ? word.replace(/ies$/, 'y').replace(/(?<!s)s$/, '') : word));

/**
 * Hosts that do not show a model all tools search them as Claude's tool search does: by BM25 over names,
 * titles, descriptions and arguments.
 */
function ranking(tools: any[]) {
  const documents = tools.map(({ name, title, description, inputSchema }) => ({
    name: name as string,
    words: wordsOf(
      [
        ...[name.replaceAll('_', ' '), name.replaceAll('_', ' '), title, description],
        ...Object.entries<any>(inputSchema.properties ?? {}).flatMap(([key, value]) => [
          key,
          value.description ?? '',
        ]),
      ].join(' '),
    ),
  }));
  const average = documents.reduce((sum, { words }) => sum + words.length, 0) / documents.length;
  const having = (word: string) => documents.filter(({ words }) => words.includes(word)).length;
  return (phrase: string): string[] => {
    const asked = wordsOf(phrase).filter((word) => !LEFT_OUT.has(word));
    const scoreOf = ({ words }: (typeof documents)[number]) =>
      asked.reduce((sum, word) => {
        const times = words.filter((one) => one === word).length;
        const rarity = Math.log(1 + (documents.length - having(word) + 0.5) / (having(word) + 0.5));
        const length = 1 - B + (B * words.length) / average;
        return sum + (rarity * times * (K1 + 1)) / (times + K1 * length);
      }, 0);
    return documents
      .map((document) => ({ name: document.name, score: scoreOf(document) }))
      .sort((a, b) => b.score - a.score)
      .map(({ name }) => name);
  };
}

describe('what shopkeepers say', () => {
  let store: TestStore;

  const app = useShop();
  beforeAll(async () => {
    store = await app.store();
  });

  it('finds the right tool among the first five', async () => {
    const client = new RawClient(app, store.tokens.admin);
    const { tools } = (await client.send('tools/list')).messages[0].result;
    const rank = ranking(tools);
    const missed = PHRASES.flatMap(([phrase, wanted]) => {
      const names = rank(phrase);
      const place = Math.min(...wanted.map((name) => names.indexOf(name)).filter((at) => at >= 0));
      return place < FIRST ? [] : [`${phrase}: ${wanted.join(', ')} at ${place + 1}`];
    });
    const found = PHRASES.length - missed.length;
    expect({ missed, found, enough: found >= ENOUGH }).toEqual({ missed, found, enough: true });
  });
});
