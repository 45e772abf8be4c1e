import { Controller } from '@nestjs/common';
import { Operation } from '../../platform/call/endpoint.js';
import { NoInput } from '../../platform/schema/pages/page.dto.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { SettingsRecord, UpdateGeneralInput } from './settings.dto.js';
import { Settings } from './settings.service.js';

@Controller('v1')
export class SettingsController {
  constructor(private readonly settings: Settings) {}

  @Operation({
    name: 'get_settings',
    scope: 'read',
    summary: 'Get the general settings',
    description: "Get the storefront's title, name, description, keywords, logos and currency.",
    input: NoInput,
    output: SettingsRecord,
  })
  get(ctx: StoreContext) {
    return this.settings.get(ctx);
  }

  @Operation({
    name: 'update_general',
    scope: 'write',
    summary: 'Update the general settings',
    description: 'Change the storefront\'s title, name, description, keywords or logo URLs. "" clears one.',
    input: UpdateGeneralInput,
    output: SettingsRecord,
    idempotent: true,
    ifMatch: true,
  })
  updateGeneral(ctx: StoreContext, input: UpdateGeneralInput) {
    return this.settings.updateGeneral(ctx, input);
  }
}
