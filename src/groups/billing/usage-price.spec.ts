import { findPlan } from '../../stores/plans.js';
import { priceUsage } from './usage-price.js';

describe('priceUsage', () => {
  it.each([
    ['free', 0, 0, '0', '0'],
    ['free', 100, 0, '0', '0'],
    ['free', 101, 1, '0.02', '0.02'],
    ['growth', 5_000, 0, '0', '29'],
    ['growth', 5_003, 3, '0.03', '29.03'],
    ['pro', 50_001, 1, '0.005', '99.005'],
    ['pro', 3_050_007, 3_000_007, '15000.035', '15099.035'],
  ])('%s with %d contacts', (code, contacts, overageContacts, overage, total) => {
    expect(priceUsage(findPlan(code)!, contacts)).toMatchObject({
      contacts,
      overageContacts,
      overage,
      total,
    });
  });
});
