import { inWords, itemInWords } from '../dashboard/api/telling/in-words';
import { warning } from '../../src/platform/problems.js';
import { warningInWords } from '../dashboard/api/telling/warning-words';
import { Refusal } from '../dashboard/api/refusal';
import { refused } from '../dashboard/parts/forms/refused';
import { roundFigures } from '../dashboard/parts/charts/round-figures';
import { customerName } from '../dashboard/parts/values/customer-name';
import {
  asText,
  dateTime,
  dayName,
  humanized,
  majorMoney,
  minorMoney,
  percent,
  relative,
} from '../dashboard/parts/values/format';
import { fieldName } from '../dashboard/api/telling/field-name';
import { words } from '../dashboard/words/all';
import { plurals } from '../dashboard/words/plural';
import { loadTexts } from './load-words';

beforeAll(() => loadTexts('en'));

describe('money', () => {
  it('has the decimals that the service says', () => {
    expect(minorMoney(123_456, { currency: 'USD', currencyDecimals: 2 })).toBe('$1,234.56');
    expect(minorMoney(1_500, { currency: 'JPY', currencyDecimals: 0 })).toBe('¥1,500');
    expect(majorMoney(2.5, { currency: 'KWD', currencyDecimals: 3 })).toMatch(/2\.500$/);
  });

  it('is a number of stars in the currency of stars', () => {
    expect(majorMoney(50, { currency: 'XTR', currencyDecimals: 0 })).toBe('50 ★');
  });
});

describe('times', () => {
  it('are a dash if there is none', () => expect(dateTime(null)).toBe('–'));

  it('are relative in the largest unit that fits', () => {
    const now = Date.parse('2026-11-23T12:00:00Z');
    expect(relative('2026-11-23T11:55:00Z', now)).toBe('5 minutes ago');
    expect(relative('2026-11-25T12:00:00Z', now)).toBe('in 2 days');
    expect(relative('2026-11-23T12:00:10Z', now)).toBe('in 10 seconds');
  });

  it('of a day are of the calendar in UTC', () => {
    expect(dayName('2026-11-22')).toBe('Nov 22');
    expect(dayName('2026-11-22', 'numeric')).toBe('Nov 22, 2026');
  });
});

describe('names and values as text', () => {
  it('are made of the names in the API', () => {
    expect(fieldName('someNewField')).toBe('Some new field');
    expect(humanized('set_order_status')).toBe('Set order status');
    expect(percent(0.125)).toBe('12.5%');
  });

  it('are a dash for nothing, and yes or no for a switch', () => {
    expect([null, undefined, ''].map(asText)).toEqual(['–', '–', '–']);
    expect(asText(false)).toBe(words.common.no);
    expect(asText({ a: 1 })).toBe('{"a":1}');
    expect(asText(0)).toBe('0');
  });

  it('name a shopper by name, else by username, else by id', () => {
    const nobody = { id: '7', firstName: null, lastName: null, username: null };
    expect(customerName({ ...nobody, firstName: 'Olena', username: 'o' })).toBe('Olena');
    expect(customerName({ ...nobody, username: 'olena' })).toBe('@olena');
    expect(customerName(nobody)).toBe('7');
  });
});

describe('plurals', () => {
  const orders = { one: '# замовлення', few: '# замовлення', many: '# замовлень', other: '# замовлення' };

  it('follow the rules of the language', () => {
    const n = plurals('uk');
    expect([1, 3, 5, 21, 11].map((count) => n(count, orders))).toEqual([
      '1 замовлення',
      '3 замовлення',
      '5 замовлень',
      '21 замовлення',
      '11 замовлень',
    ]);
  });

  it('write large numbers as the language does', () => {
    expect(plurals('en')(12_000, { one: '# order', other: '# orders' })).toBe('12,000 orders');
  });
});

describe('a warning', () => {
  it('is said in words where the service names the fields', () => {
    const prices = { sale: 12, price: 10 };
    const said = 'The sale price 12 is not below the price 10: shoppers pay 12.';
    expect(warningInWords(warning('', 'sale_not_below', prices))).toBe(said);
    const ofVariant = warning('', 'sale_not_below', { ...prices, variant: 'Size: M' });
    expect(warningInWords(ofVariant)).toBe(`Size: M: ${said}`);
    expect(warningInWords(warning('', 'cleared', { fields: ['brandId', 'salePrice', 'tags'] }))).toBe(
      'Emptied: Brand, Sale price, Tags.',
    );
    expect(warningInWords(warning('', 'finer', { field: 'maxCashbackPerOrder', counted: 10 }))).toBe(
      `${words.monetization.cap}: the amount is finer than the currency; 10 counts.`,
    );
  });

  it('stays as the service says it where we have no better words', () => {
    const text = 'this was never warned of';
    expect(warningInWords({ text })).toBe(text);
    expect(warningInWords({ text, told: { problem: 'later', values: {} } })).toBe(text);
  });
});

describe('a refusal', () => {
  it('is said in words where the service answers nothing better', () => {
    expect(inWords(new Refusal('unreachable', ''))).toBe(words.refusals.unreachable);
    expect(inWords(new Refusal('rate_limited', 'wait', null, 7))).toBe(words.refusals.rate_limited(7));
    expect(inWords(new Refusal('conflict', 'the slug is taken'))).toBe('the slug is taken');
    expect(inWords(new Error('broken'))).toBe('broken');
  });

  it('of several fields names each, and stands beside it without its name', () => {
    const price = { problem: 'number', values: { path: 'items[0].price', above: 0 } };
    const title = { problem: 'required', values: { path: 'title' } };
    const told = { problem: 'several', values: { problems: [price, title] } };
    const refusal = new Refusal('invalid_input', 'a; b', null, null, told);
    expect(inWords(refusal)).toBe('Price: More than 0. Title: Fill this in.');
    expect(refused(refusal, { title: '', items: [{}] }).of('items')).toBe('More than 0.');
    expect(refused(refusal, { other: 1 }).rest).toBe('Price: More than 0. Title: Fill this in.');
  });

  it('has its limits in words', () => {
    const told = { problem: 'integer', values: { min: 1 } };
    expect(itemInWords({ message: 'items[3].count must be …', ...told })).toBe('A whole number. At least 1.');
    expect(itemInWords({ message: 'items[3].price is not what we sell' })).toBe('Is not what we sell');
  });
});

describe('the lines of a plot', () => {
  it('are at zero and at round figures, the last at least as high as the highest bar', () => {
    expect(roundFigures(47)).toEqual([0, 20, 40, 60]);
    expect(roundFigures(0)).toEqual([0, 1]);
    expect(roundFigures(1_000)).toEqual([0, 500, 1_000]);
  });
});

describe('what an import would make', () => {
  it.each([
    [1, 0, 'Make 1 brand that is missing'],
    [0, 2, 'Make 2 categories that are missing'],
    [1, 1, 'Make 1 brand and 1 category that are missing'],
  ])('leaves out what is none: %i, %i', (brands, categories, said) =>
    expect(words.imports.make(brands, categories)).toBe(said),
  );
});
