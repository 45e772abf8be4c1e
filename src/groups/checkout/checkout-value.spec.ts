import { formatProblem, isEmptyText, selectOptions, valueText } from './checkout-value.js';
import type { CheckoutFieldType } from './checkout-value.js';

describe('valueText', () => {
  it.each<[CheckoutFieldType, unknown, string, boolean]>([
    ['text', '  a b ', 'a b', false],
    ['text', ' ', '', true],
    ['text', null, '', true],
    ['text', undefined, '', true],
    ['text', 0, '0', false],
    ['text', false, 'false', false],
    ['text', { a: 1 }, '', true],
    ['checkbox', true, 'true', false],
    ['checkbox', ' True ', 'true', false],
    ['checkbox', false, 'false', true],
    ['checkbox', undefined, 'false', true],
    ['checkbox', '', 'false', true],
    ['checkbox', 'yes', 'yes', false],
  ])('%s %p is %j, empty: %p', (type, value, text, empty) => {
    expect(valueText(type, value)).toBe(text);
    expect(isEmptyText(type, text)).toBe(empty);
  });
});

describe('selectOptions', () => {
  it.each<[string | null | undefined, string[]]>([
    [undefined, []],
    [null, []],
    [' ', []],
    ['one', ['one']],
    ['one, two ,,three', ['one', 'two', 'three']],
    ['Paris, France\nRome, Italy\r\n\n', ['Paris, France', 'Rome, Italy']],
    ['one, two\n', ['one', 'two']],
  ])('%j gives %j', (options, expected) => expect(selectOptions(options)).toEqual(expected));
});

describe('formatProblem', () => {
  it.each<[CheckoutFieldType, string, string | null]>([
    ['email', 'a@b.co', null],
    ['email', 'first.last+tag@sub.example.org', null],
    ['email', 'ä@exämple.de', null],
    ['email', 'a@b', 'must be an e-mail address'],
    ['email', 'a b@c.de', 'must be an e-mail address'],
    ['email', 'a@b@c.de', 'must be an e-mail address'],
    ['email', `${'a'.repeat(249)}@b.de`, null],
    ['email', `${'a'.repeat(250)}@b.de`, 'must be an e-mail address'],
    ['phone', '+49 (30) 123-45.67', null],
    ['phone', '12345', null],
    ['phone', '1234', 'must be a phone number of 5 to 15 digits'],
    ['phone', '123456789012345', null],
    ['phone', '1234567890123456', 'must be a phone number of 5 to 15 digits'],
    ['phone', 'call me 12345', 'must be a phone number of 5 to 15 digits'],
    ['phone', '0171/1234567', null],
    ['phone', '+49 171/1234567', null],
    ['phone', '(+49) 171 1234567', null],
    ['phone', '+49 171\u20131234567', null],
    ['phone', '030\u2011123456', null],
    ['phone', '+1 (555) 123-4567 x12', null],
    ['phone', '+380 67 123 45 67 доб. 8', null],
    ['phone', '+1 555 123 4567 ext. 1234', null],
    ['phone', '\u202a+49 171 1234567\u202c', null],
    ['phone', '٠١٢٣٤٥٦٧٨٩', null],
    ['phone', '０１７１１２３４５６', null],
    ['phone', '12 ext. 34567', 'must be a phone number of 5 to 15 digits'],
    ['phone', '123+45', 'must be a phone number of 5 to 15 digits'],
    ['date', '2024-02-29', null],
    ['date', '2023-02-29', 'must be a calendar day as YYYY-MM-DD'],
    ['date', '2024-13-01', 'must be a calendar day as YYYY-MM-DD'],
    ['date', '2024-2-9', 'must be a calendar day as YYYY-MM-DD'],
    ['checkbox', 'true', null],
    ['checkbox', 'false', null],
    ['checkbox', 'yes', 'must be "true" or "false"'],
    ['select', 'two', null],
    ['select', 'Two', 'must be one of one, two'],
    ['text', 'anything', null],
    ['textarea', 'any\nthing', null],
  ])('%s %j: %p', (type, text, expected) => expect(formatProblem(type, text, 'one,two')).toBe(expected));

  it('a select without options accepts anything', () =>
    expect(formatProblem('select', 'x', undefined)).toBeNull());

  it('is fast even for a hostile e-mail address', () => {
    const started = performance.now();
    expect(formatProblem('email', `a@${'.'.repeat(1_000_000)}@`, null)).not.toBeNull();
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
