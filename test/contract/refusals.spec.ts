import { CreateProductInput } from '../../src/groups/products/products.dto.js';
import { UpdateCheckoutInput } from '../../src/groups/checkout/checkout.dto.js';
import { UpdateMonetizationInput } from '../../src/groups/monetization/monetization.dto.js';
import type { DtoClass } from '../../src/platform/schema/field-spec.js';
import { explain } from '../../src/platform/schema/explain.js';
import { NoInput } from '../../src/platform/schema/pages/page.dto.js';

/** What a refusal says (docs/behaviour.md §1.2 and §1.6). */
describe('a refusal', () => {
  const problems = (type: DtoClass, input: object) =>
    explain(type, input as Record<string, unknown>).text.split('; ');
  const many = (count: number, item: unknown) => Array.from({ length: count }, () => item);

  it('names unknown properties, at every depth, before what is wrong with known ones', () => {
    expect(problems(UpdateCheckoutInput, { mode: 1, a: 1, filters: [{ b: 1 }] })).toEqual([
      'a is not a known property: allowed are mode, fields, filters',
      'filters[0].b is not a known property: allowed are id, label, enabled, order, visibilityMode',
      'mode must be one of manual, native_payments, crypto',
      'filters[0].id is required and must be one of category, brand, sub_category',
      'filters[0].label is required and must be a string of at most 500 characters',
      'filters[0].enabled is required and must be true or false',
      'filters[0].order is required and must be a number',
      'filters[0].visibilityMode is required and must be one of always, when_parent_has_value',
    ]);
    expect(problems(NoInput, { a: 1 })).toEqual(['a is not a known property: this takes none']);
  });

  it('names the first ten unknown properties of an object and counts the others', () => {
    const unknown = Object.fromEntries(many(100_000, 1).map((one, i) => [`k${i}`, one]));
    const named = problems(NoInput, unknown);
    expect(named).toHaveLength(11);
    expect(named.at(9)).toBe('k9 is not a known property: this takes none');
    expect(named.at(-1)).toBe('The body has 99990 more unknown properties');
    expect(problems(UpdateCheckoutInput, { filters: [unknown] })[10]).toBe(
      'filters[0] has 99990 more unknown properties',
    );
  });

  it('ends at its 50th problem', () => {
    for (const input of [
      { fields: many(200, {}) },
      { fields: many(200, 1) },
      { filters: many(20, { a: 1 }) },
    ]) {
      const named = problems(UpdateCheckoutInput, input);
      expect(named).toHaveLength(51);
      expect(named.at(-1)).toBe('and more');
    }
  });

  it('does not walk a list over its bound', () => {
    const untouched = new Proxy([], {
      get: (target, key) => (key === 'length' ? 300_000 : (target as any)[key]),
    });
    const walked = () => {
      throw new Error('walked');
    };
    for (const name of ['entries', 'every', 'forEach', 'map', Symbol.iterator])
      Object.assign(untouched, { [name]: walked });
    expect(problems(UpdateCheckoutInput, { fields: untouched })).toEqual([
      'fields must be an array of at most 200 objects',
    ]);
    expect(problems(UpdateMonetizationInput, { cashback: { levels: untouched } })).toContain(
      'cashback.levels must be an array of at most 100 objects',
    );
    expect(problems(CreateProductInput, { images: untouched })).toContain(
      'images must be an array of 1 to 100 absolute http or https URLs of at most 2048 characters',
    );
  });
});
