import { Injectable } from '@nestjs/common';
import { changedFields } from '../../platform/store/audit.js';
import { lockStoreVersion } from '../../platform/store/version.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import type { SettingsRecord, UpdateGeneralInput } from './settings.dto.js';
import { GET_SETTINGS, SETTINGS_VERSION, UPDATE_SETTINGS } from './settings.statements.js';

/** The storefront's general settings: its texts for search engines and visitors, and its logos. */
@Injectable()
export class Settings {
  /** Fields that were never set are empty, except for the name, which is then the store's own. */
  async get(ctx: StoreContext): Promise<SettingsRecord> {
    const [row] = await ctx.session.read(GET_SETTINGS);
    return row;
  }

  async updateGeneral(ctx: StoreContext, input: UpdateGeneralInput): Promise<SettingsRecord> {
    await lockStoreVersion(ctx, SETTINGS_VERSION);
    ctx.audit.target = `settings:${ctx.storeId}`;
    const before = await this.get(ctx);
    if (Object.keys(input).length === 0) return before;
    ctx.audit.changes = changedFields(before, input);
    const { title, name, description, keywords, logoUrl, darkLogoUrl } = input;
    const values = { title, name, description, keywords, logoUrl, darkLogoUrl, now: ctx.now() };
    const [row] = await ctx.session.query(UPDATE_SETTINGS, values);
    return row;
  }
}
