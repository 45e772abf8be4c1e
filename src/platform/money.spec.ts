import fc from 'fast-check';
import { Big } from 'big.js';
import {
  bonusDecimals,
  MAX_MINOR,
  currencyExponent,
  hasAtMostDecimals,
  InvalidAmount,
  isCurrency,
  percentOf,
  roundDownToMinor,
  sumShown,
  toMajor,
  toMinor,
  toMinorRoundedDown,
  TooManyDecimals,
  UnknownCurrency,
  withoutFiner,
} from './money.js';

const currencies = fc.constantFrom('USD', 'EUR', 'JPY', 'KWD', 'CLF', 'XTR');
const minors = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n });

describe('currencies', () => {
  it.each([
    ['USD', 2],
    ['EUR', 2],
    ['JPY', 0],
    ['UYI', 0],
    ['KWD', 3],
    ['CLF', 4],
    ['XTR', 0],
  ])('%s has %i decimals', (code, exponent) => {
    expect(isCurrency(code)).toBe(true);
    expect(currencyExponent(code)).toBe(exponent);
  });

  it.each(['', 'usd', 'US', 'ABC', 'XXX', 'XAU', 'XTS', 'constructor'])('%j is no currency', (code) => {
    expect(isCurrency(code)).toBe(false);
    expect(() => currencyExponent(code)).toThrow(UnknownCurrency);
    expect(() => toMinor(1, code)).toThrow(`${JSON.stringify(code)} is not a known currency code`);
  });
});

describe('toMinor', () => {
  it.each<[number | string, string, bigint]>([
    [10.5, 'USD', 1050n],
    [250, 'XTR', 250n],
    [0.1, 'USD', 10n],
    [1.15, 'USD', 115n],
    [8.2, 'USD', 820n],
    [4.35, 'USD', 435n],
    [1.005, 'KWD', 1005n],
    ['0.0001', 'CLF', 1n],
    ['10.5000', 'USD', 1050n],
    ['007', 'JPY', 7n],
    ['-10.50', 'USD', -1050n],
    [-0, 'USD', 0n],
    ['-0.00', 'USD', 0n],
    [1e21, 'USD', 10n ** 23n],
    [Number.MAX_SAFE_INTEGER, 'XTR', MAX_MINOR],
    ['90071992547409931234.56', 'USD', 9007199254740993123456n],
  ])('%p %s is %p', (major, currency, minor) => {
    expect(toMinor(major, currency)).toBe(minor);
  });

  it.each<[number | string, string]>([
    [10.505, 'USD'],
    [0.001, 'USD'],
    [1e-7, 'USD'],
    ['10.501', 'USD'],
    [0.5, 'XTR'],
    [0.5, 'JPY'],
    ['1.00001', 'CLF'],
    [0.1 + 0.2, 'USD'],
  ])('%p %s has too many decimals', (major, currency) => {
    expect(() => toMinor(major, currency)).toThrow(TooManyDecimals);
  });

  it('names the value, the currency and the allowed decimals', () => {
    expect(() => toMinor(12.345, 'USD')).toThrow('"12.345" has more decimals than USD has (2)');
  });

  it.each([NaN, Infinity, -Infinity, '', ' 1', '1e3', '1e999999999', '.5', '5.', '+5', '0x10', '1,5', 'NaN'])(
    '%p is no amount',
    (major) => {
      expect(() => toMinor(major, 'USD')).toThrow(InvalidAmount);
      expect(() => toMinorRoundedDown(major, 'USD')).toThrow(InvalidAmount);
    },
  );

  it('agrees with the digits of any price the currency can hold', () => {
    const price = fc.tuple(
      fc.nat(),
      fc.integer({ min: 0, max: 99 }).map((cents) => String(cents).padStart(2, '0')),
    );
    fc.assert(
      fc.property(
        price,
        ([units, cents]) => toMinor(Number(`${units}.${cents}`), 'USD') === BigInt(`${units}${cents}`),
      ),
    );
  });

  it('accepts a number exactly if it has at most the currency’s decimals', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), currencies, (major, currency) => {
        if (hasAtMostDecimals(major, currencyExponent(currency))) {
          expect(Number(toMajor(toMinor(major, currency), currency)) === major).toBe(true);
        } else {
          expect(() => toMinor(major, currency)).toThrow(TooManyDecimals);
        }
      }),
    );
  });
});

describe('toMajor', () => {
  it.each<[bigint | number | string, string, string]>([
    [1050n, 'USD', '10.50'],
    [5, 'USD', '0.05'],
    ['-1', 'USD', '-0.01'],
    [0n, 'USD', '0.00'],
    [-0, 'USD', '0.00'],
    [250n, 'XTR', '250'],
    [1n, 'CLF', '0.0001'],
    [MAX_MINOR, 'USD', '90071992547409.91'],
    [10n ** 23n, 'USD', '1000000000000000000000.00'],
  ])('%p in %s is %s', (minor, currency, major) => {
    expect(toMajor(minor, currency)).toBe(major);
  });

  it.each([1.5, NaN, 2 ** 53, '', '1.0', '0x10', ' 1', '1e3'])('refuses %p minor units', (minor) => {
    expect(() => toMajor(minor, 'USD')).toThrow(InvalidAmount);
  });

  it('comes back whole from major units', () => {
    fc.assert(
      fc.property(
        minors,
        currencies,
        (minor, currency) => toMinor(toMajor(minor, currency), currency) === minor,
      ),
    );
  });

  it('comes back whole from JSON numbers up to 15 digits', () => {
    const fifteenDigits = fc.bigInt({ min: -(10n ** 15n - 1n), max: 10n ** 15n - 1n });
    fc.assert(
      fc.property(
        fifteenDigits,
        currencies,
        (minor, currency) => toMinor(Number(toMajor(minor, currency)), currency) === minor,
      ),
    );
  });
});

describe('hasAtMostDecimals', () => {
  it.each<[number, number, boolean]>([
    [1.25, 2, true],
    [1.255, 2, false],
    [1, 0, true],
    [1.1, 0, false],
    [1e-7, 6, false],
    [1e-7, 7, true],
    [1e21, 0, true],
    [-0.01, 2, true],
    [0.1 + 0.2, 2, false],
    [NaN, 2, false],
    [Infinity, 2, false],
  ])('%p within %i decimals: %p', (value, decimals, expected) => {
    expect(hasAtMostDecimals(value, decimals)).toBe(expected);
  });
});

describe('withoutFiner', () => {
  it.each<[number, number, string | null]>([
    [1.25, 2, null],
    [1.255, 2, '1.25'],
    [-1.255, 2, '-1.25'],
    [0.4, 0, '0'],
  ])('%p to %i decimals: %p', (value, decimals, expected) => {
    expect(withoutFiner(value, decimals)).toBe(expected);
  });
});

describe('sumShown', () => {
  it.each<[bigint | string, number]>([
    ['12', 12],
    [-3n, -3],
    [2n ** 60n, 2 ** 53 - 1],
  ])('%p as %p', (sum, expected) => {
    expect(sumShown(sum)).toBe(expected);
  });
});

describe('rounding down', () => {
  it.each([
    ['0.99', 0n],
    ['1.999999999999999999999999', 1n],
    ['-0.5', 0n],
    ['-1.9', -1n],
  ])('cuts %s to %p', (minor, expected) => {
    expect(roundDownToMinor(new Big(minor))).toBe(expected);
  });

  it('drops fractions of the minor unit', () => {
    fc.assert(
      fc.property(minors, fc.integer({ min: 0, max: 9 }), currencies, (minor, digit, currency) => {
        const finer =
          toMajor(minor, currency) + (currencyExponent(currency) === 0 ? '.' : '') + String(digit);
        expect(toMinorRoundedDown(finer, currency)).toBe(minor);
      }),
    );
  });
});

describe('percentOf', () => {
  it.each<[bigint, number | string, string]>([
    [1000n, 10, '100'],
    [999n, '12.5', '124.875'],
    [100n, '99.9999999999999999999999', '99.9999999999999999999999'],
    [0n, 50, '0'],
  ])('%p times %p percent is %s', (minor, percentage, expected) => {
    expect(percentOf(minor, percentage).toFixed()).toBe(expected);
  });

  it('never rounds', () => {
    fc.assert(
      fc.property(minors, fc.nat(), (minor, percentage) =>
        percentOf(minor, percentage)
          .times(100)
          .eq(String(minor * BigInt(percentage))),
      ),
    );
  });
});

describe('bonusDecimals', () => {
  it.each([
    ['USD', 2],
    ['JPY', 0],
    ['KWD', 2],
    ['XTR', 0],
  ])('allows bonus in %s %d decimals', (currency, decimals) => {
    expect(bonusDecimals(currency)).toBe(decimals);
  });
});
