import { explained } from '../dashboard/pages/customers/explained';
import { loadTexts } from './load-words';

describe('an entry of the bonus history', () => {
  beforeAll(() => loadTexts('uk'));

  it.each([
    [
      'Cashback of order 275: 5 % of 29 for tee-stripes (level Regular) = 1.4. Balance: 0.00 + 1.40 = 1.40.',
      '5% від 29 за tee-stripes (рівень Regular) = 1,4',
    ],
    [
      'Cashback of order 7: 5 % of 60.5 for a (promotion Spring (new)) = 3; 0 % of 9 for b (no rate) = 0; ' +
        '2 more lines, together 3, limit of the order 2.5, credited 2.50. Balance: 0.00 + 2.50 = 2.50.',
      '5% від 60,5 за a (акція Spring (new)) = 3; 0% від 9 за b (без кешбеку) = 0; ще 2 рядки; разом 3; ' +
        'не більше 2,5 за замовлення; нараховано 2,5',
    ],
    [
      'Referral reward: order 7 of customer 2 was paid, referrerOrderBonus 2.50, once for each referred ' +
        'customer. Balance: 0.00 + 2.50 = 2.50.',
      'оплатив покупець 2; один раз за кожного покупця',
    ],
    [
      'Debt: of 10.00 of cashback taken back for order 7 the balance lacked 4.00. Owed now: 4.00. ' +
        'Balance: 6.00 + 4.00 = 10.00.',
      'треба було зняти 10; тепер борг: 4',
    ],
    ['Adjusted by hand. Balance: 0.00 + 5.00 = 5.00.', ''],
  ])('says in Ukrainian: %s', (explanation, text) => expect(explained(explanation)).toBe(text));
});
