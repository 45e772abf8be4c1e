import { Controller } from '@nestjs/common';
import { Example } from '../../../platform/schema/example.js';
import { Flag, Text } from '../../../platform/schema/fields.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { hideFirstSale, setStoreTimeZone, storeProfile } from '../../../stores/store-profile.js';
import { API_PATH, Route } from '../route.decorator.js';

const PATH = 'stores/:storeId/profile';

@Example({ name: 'Nordwind', currency: 'USD', timeZone: 'Europe/Kyiv' })
export class StoreProfileRecord {
  @Text() name: string;
  @Text() currency: string;
  @Text({ description: "The IANA time zone by which the store's days go; UTC until it is set." })
  timeZone: string;
}

@Example({ timeZone: 'Europe/Kyiv' })
export class UpdateProfileInput {
  @Text({ min: 1, max: 64, description: 'An IANA time zone.' }) timeZone: string;
}

@Example({ hidden: true })
export class FirstSale {
  @Flag({ description: 'Whether the pages leave the steps out.' }) hidden: boolean;
}

/** What a store is, apart from what its shoppers see. */
@Controller(API_PATH)
export class ProfileController {
  @Route({
    method: 'GET',
    path: PATH,
    groups: 'settings',
    summary: 'Get the profile of the store',
    output: StoreProfileRecord,
  })
  get(ctx: StoreContext) {
    return storeProfile(ctx);
  }

  @Route({
    method: 'PUT',
    path: PATH,
    groups: 'settings',
    summary: 'Set the time zone of the store',
    description: "Days of sales reports go by it; the API's times and get_analytics stay in UTC.",
    input: UpdateProfileInput,
    output: StoreProfileRecord,
    audited: 'store.profile',
  })
  update(ctx: StoreContext, { timeZone }: UpdateProfileInput) {
    return setStoreTimeZone(ctx, timeZone);
  }

  @Route({
    method: 'PUT',
    path: 'stores/:storeId/first-sale',
    groups: 'every',
    summary: 'Hide the steps to the first sale from all members, or show them again',
    input: FirstSale,
    output: FirstSale,
    audited: 'store.first_sale',
  })
  firstSale(ctx: StoreContext, { hidden }: FirstSale) {
    return hideFirstSale(ctx, hidden);
  }
}
