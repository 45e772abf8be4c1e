import { Example } from '../../platform/schema/example.js';
import { StoredAt, Text, Uri } from '../../platform/schema/fields.js';

@Example({ title: 'Nordwind', description: 'Mugs and shirts from the north.' })
export class UpdateGeneralInput {
  @Text({ max: 200, optional: true }) title?: string;
  @Text({ max: 200, optional: true }) name?: string;
  @Text({ max: 2000, optional: true }) description?: string;
  @Text({ max: 500, optional: true }) keywords?: string;
  @Uri({ orEmpty: true, optional: true }) logoUrl?: string;
  @Uri({
    orEmpty: true,
    optional: true,
    description: 'The address of the logo for dark backgrounds. The empty string removes it.',
    hint: 'URL, or \"\".',
  })
  darkLogoUrl?: string;
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
  @Text({ description: 'The title of the storefront. Like the other texts it is empty if it is not set.' })
  title: string;
  @Text({ description: "The name of the storefront; the store's own name if none is set." }) name: string;
  @Text() description: string;
  @Text() keywords: string;
  @Uri({ orEmpty: true }) logoUrl: string;
  @Uri({ orEmpty: true }) darkLogoUrl: string;
  @Text({ description: 'The ISO 4217 code of the currency, or XTR.' }) currency: string;
  @StoredAt() updatedAt: Date | null;
}
