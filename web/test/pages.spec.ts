import { addressOf, contactOf } from '../dashboard/parts/values/shipping-address';
import { browserName } from '../dashboard/parts/values/browser-name';

describe("an order's address", () => {
  it('has the lines of the messenger in their usual order, then all others', () => {
    const address = {
      note: 'Ring twice',
      city: 'Lviv',
      street_line1: 'Rynok 1',
      post_code: '79000',
      state: '',
    };
    expect(addressOf({ shipping_address: address })).toEqual(['Rynok 1', 'Lviv', '79000', 'Ring twice']);
    expect(addressOf({ shipping_address: 'Rynok 1, Lviv' })).toEqual(['Rynok 1, Lviv']);
    expect(addressOf(null)).toEqual([]);
  });

  it('names whoever receives it', () => {
    expect(contactOf({ name: 'Olena', phone_number: '', email: 'o@example.com' })).toEqual([
      'Olena',
      'o@example.com',
    ]);
  });
});

describe('the name of a browser', () => {
  it('is taken from its user agent', () => {
    const agent =
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
      'Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0';
    expect(browserName(agent)).toContain('Edge');
  });
});
