import { Operation } from '../../../platform/call/endpoint.js';
import { Controller } from '@nestjs/common';
import { tell } from '../../../platform/problems.js';
import { Example } from '../../../platform/schema/example.js';
import { Flag, OneOf, Text } from '../../../platform/schema/fields.js';
import { AtLeastOneOf } from '../../../platform/schema/rules.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { hideFirstSale, storeProfile, updateProfile } from '../../../stores/store-profile.js';
import { STORE_LANGUAGES } from '../../../stores/words/languages.js';
import { API_PATH, DASHBOARD } from '../dashboard.door.js';

const PATH = 'stores/:storeId/profile';

@Example({ name: 'Nordwind', currency: 'USD', timeZone: 'Europe/Kyiv', language: 'en' })
export class StoreProfileRecord {
  @Text() name: string;
  @Text() currency: string;
  @Text({ description: "The IANA time zone by which the store's days go; UTC until it is set." })
  timeZone: string;
  @Text({ description: 'The language of the fixed words of messages, invoices and printed sheets.' })
  language: string;
}

@Example({ timeZone: 'Europe/Kyiv', language: 'uk' })
@AtLeastOneOf('timeZone', 'language')
export class UpdateProfileInput {
  @Text({ min: 1, max: 64, optional: true, description: 'An IANA time zone.' }) timeZone?: string;
  @OneOf(STORE_LANGUAGES, { optional: true }) language?: string;
}

@Example({ accent: '#1a7f5a' })
export class Accent {
  @Text({
    max: 7,
    pattern: /^#[0-9a-f]{6}$/,
    patternMeaning: '# and six digits from 0 to f',
    nullable: true,
    told: tell('characters'),
    description: 'The colour of the shop: of its buttons, and of a line on the pages and printed sheets.',
  })
  accent: string | null;
}

@Example({ hidden: true })
export class FirstSale {
  @Flag({ description: 'Whether the pages leave the steps out.' }) hidden: boolean;
}

/** What a store is, apart from what its shoppers see. */
@Controller(API_PATH)
export class ProfileController {
  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: PATH,
    groups: 'settings',
    summary: 'Get the profile of the store',
    output: StoreProfileRecord,
  })
  get(ctx: StoreContext) {
    return storeProfile(ctx);
  }

  @Operation({
    door: DASHBOARD,
    method: 'PUT',
    path: PATH,
    groups: 'settings',
    summary: 'Set the time zone or the language of the store',
    description:
      "Days of sales reports go by the time zone; the API's times and get_analytics stay in UTC. What is " +
      'not given stays.',
    input: UpdateProfileInput,
    output: StoreProfileRecord,
    audited: 'store.profile',
  })
  update(ctx: StoreContext, input: UpdateProfileInput) {
    return updateProfile(ctx, input);
  }

  @Operation({
    door: DASHBOARD,
    method: 'PUT',
    path: 'stores/:storeId/accent',
    groups: 'settings',
    summary: 'Set the colour of the shop, or take it away',
    input: Accent,
    output: Accent,
    audited: 'store.accent',
  })
  async accent(ctx: StoreContext, { accent }: Accent) {
    await updateProfile(ctx, { accent });
    return { accent };
  }

  @Operation({
    door: DASHBOARD,
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
