import { warning } from '../../src/platform/problems.js';
import { type Failure, FAILURES, inEnglish } from '../../src/webhooks/delivery/attempts/failures.js';
import { failureInWords } from '../dashboard/api/telling/failure-words';
import { inWords } from '../dashboard/api/telling/in-words';
import { warningInWords } from '../dashboard/api/telling/warning-words';
import { Refusal } from '../dashboard/api/refusal';
import { setCurrency } from '../dashboard/api/amounts';
import { majorMoney, minorMoney } from '../dashboard/parts/values/format';
import { loadTexts } from './load-words';

const UKRAINIAN = /[а-яіїєґ]/;

describe('the sentences of the service', () => {
  beforeAll(() => loadTexts('uk'));

  it('have words: why a delivery failed', () => {
    for (const failure of Object.keys(FAILURES) as Failure[]) {
      const said = failureInWords(inEnglish(failure, 302));
      expect(said).toMatch(UKRAINIAN);
      expect(said.includes('302')).toBe(FAILURES[failure].includes('#') && failure !== 'late');
    }
    expect(failureInWords('HTTP 503')).toBe('HTTP 503');
  });

  it('say amounts as money of the store', () => {
    const store = { currency: 'USD', currencyDecimals: 2 };
    setCurrency({
      minor: (amount) => minorMoney(amount, store),
      major: (amount) => majorMoney(amount, store),
    });
    expect(warningInWords(warning('', 'refund_above', { total: 3390 }))).toContain('33,90');
    expect(warningInWords(warning('', 'price_jump', { before: 1200.5, after: 0.1 }))).toMatch(
      /платили 1\s200,50.*платитимуть 0,10/,
    );
    expect(warningInWords(warning('', 'sale_not_below', { sale: 5, price: 0.1 }))).toMatch(
      /5,00.* не нижча за ціну 0,10/,
    );
    expect(warningInWords(warning('', 'finer_change', { place: 2, counted: 4.99 }))).toMatch(
      /^Поле 2 .*4,99/,
    );
    expect(warningInWords(warning('', 'above_tip', { amount: 500 }))).toMatch(/5,00.*не пропонуватимуть/);
  });

  it('are those of the code where there are no others', () => {
    expect(inWords(new Refusal('not_found', 'Order 9 was not found in this store'))).toMatch(UKRAINIAN);
    expect(inWords(new Refusal('forbidden', "Only the store's owner may do this"))).toMatch(UKRAINIAN);
  });
});
