import { Example } from '../../platform/schema/example.js';
import { DateTime, Text, Uri } from '../../platform/schema/fields.js';

@Example({ title: 'Nordwind', description: 'Mugs and shirts from the north.' })
export class UpdateGeneralInput {
  @Text({ max: 200, optional: true }) title?: string;
  @Text({ max: 200, optional: true }) name?: string;
  @Text({ max: 2000, optional: true }) description?: string;
  @Text({ max: 500, optional: true }) keywords?: string;
  @Uri({ orEmpty: true, optional: true }) logoUrl?: string;
  @Uri({ orEmpty: true, optional: true, description: 'The logo on dark backgrounds.' }) darkLogoUrl?: string;
}

@Example({
  title: 'Nordwind',
  name: 'Nordwind',
  description: 'Mugs and shirts from the north.',
  keywords: '',
  logoUrl: 'https://images.example/logo.png',
  darkLogoUrl: '',
  currency: 'USD',
})
export class SettingsRecord {
  @Text({ description: 'Empty while unset, as the other texts.' }) title: string;
  @Text({ description: "The store's own name while none is set." }) name: string;
  @Text() description: string;
  @Text() keywords: string;
  @Uri({ orEmpty: true }) logoUrl: string;
  @Uri({ orEmpty: true }) darkLogoUrl: string;
  @Text({ description: 'ISO 4217 code, or XTR.' }) currency: string;
  @DateTime({ nullable: true, description: 'Null while nothing was stored.' }) updatedAt: Date | null;
}
