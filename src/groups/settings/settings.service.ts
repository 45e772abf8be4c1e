import { Injectable } from '@nestjs/common';
import { changedFields } from '../../platform/store/audit.js';
import { lockStoreVersion, storeVersion, versionAfter } from '../../platform/store/version.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import type { SettingsRecord, UpdateGeneralInput } from './settings.dto.js';
import { statement } from '../../platform/database/statement.js';

/** The columns of a store and its settings row, which may be missing. */
const SETTINGS = `coalesce(g.title, '') as "title!", coalesce(g.name, own.name) as "name!", own.currency,
  g.updated_at as "updatedAt", coalesce(g.description, '') as "description!",
  coalesce(g.keywords, '') as "keywords!", coalesce(g.logo_url, '') as "logoUrl!",
  coalesce(g.dark_logo_url, '') as "darkLogoUrl!"`;

const GET_SETTINGS = statement(
  'get_settings',
  `select ${SETTINGS}
   from stores own left join store_settings g on g.store_id = own.id where own.id = $store`,
);

const SETTINGS_VERSION = statement('version_of_store_settings', storeVersion('store_settings'));

/**
 * This is a single statement, so that two concurrent updates cannot write back what they read before the
 * other.
 */
const UPDATE_SETTINGS = statement(
  'update_general',
  `with g as (
     insert into store_settings as c (store_id, title, name, description, keywords, logo_url,
       dark_logo_url, updated_at)
     values ($store, $title?, $name?, $description?, $keywords?, $logoUrl?, $darkLogoUrl?, $now)
     on conflict (store_id) do update set
       title = coalesce(excluded.title, c.title),
       name = coalesce(excluded.name, c.name),
       description = coalesce(excluded.description, c.description),
       keywords = coalesce(excluded.keywords, c.keywords),
       logo_url = coalesce(excluded.logo_url, c.logo_url),
       dark_logo_url = coalesce(excluded.dark_logo_url, c.dark_logo_url),
       updated_at = ${versionAfter('c.updated_at', 'excluded.updated_at')}
     returning c.*
   ) select ${SETTINGS} from g join stores own on own.id = g.store_id`,
);

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
