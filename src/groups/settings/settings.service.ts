import { Injectable } from '@nestjs/common';
import { changedFields } from '../../platform/store/audit.js';
import { statement } from '../../platform/database/statement.js';
import { lockStoreVersion, storeVersion } from '../../platform/store/version.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import type { SettingsRecord, UpdateGeneralInput } from './settings.dto.js';

type Row = SettingsRecord & Record<string, unknown>;

/** Of a store and its settings row, which may be missing. */
const COLUMNS = `coalesce(g.title, '') as title, coalesce(g.name, own.name) as name,
  coalesce(g.description, '') as description, coalesce(g.keywords, '') as keywords, coalesce(g.logo_url, '') as "logoUrl",
  coalesce(g.dark_logo_url, '') as "darkLogoUrl", own.currency, g.updated_at as "updatedAt"`;

const GET = statement(
  'get_settings',
  `select ${COLUMNS} from stores own left join store_settings g on g.store_id = own.id where own.id = $1`,
);

const VERSION = storeVersion('store_settings');

/** One statement, so that of two concurrent updates neither writes back what it read before the other. */
const UPDATE = statement(
  'update_general',
  `with g as (
     insert into store_settings as c (store_id, title, name, description, keywords, logo_url, dark_logo_url, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (store_id) do update set
       title = coalesce(excluded.title, c.title),
       name = coalesce(excluded.name, c.name),
       description = coalesce(excluded.description, c.description),
       keywords = coalesce(excluded.keywords, c.keywords),
       logo_url = coalesce(excluded.logo_url, c.logo_url),
       dark_logo_url = coalesce(excluded.dark_logo_url, c.dark_logo_url),
       updated_at = greatest(excluded.updated_at, c.updated_at + interval '1 millisecond')
     returning c.*
   ) select ${COLUMNS} from g join stores own on own.id = g.store_id`,
);

/** The storefront's general settings: its texts for search engines and visitors, and its logos. */
@Injectable()
export class Settings {
  /** What was never set is empty, save for the name, which is then the store's own. */
  async get(ctx: StoreContext): Promise<SettingsRecord> {
    const [row] = await ctx.session.read<Row>(GET);
    return row;
  }

  async updateGeneral(ctx: StoreContext, input: UpdateGeneralInput): Promise<SettingsRecord> {
    await lockStoreVersion(ctx, VERSION);
    ctx.audit.target = `settings:${ctx.storeId}`;
    const before = await this.get(ctx);
    if (Object.keys(input).length === 0) return before;
    ctx.audit.changes = changedFields(before, input);
    const [row] = await ctx.session.run<Row>(
      UPDATE,
      input.title ?? null,
      input.name ?? null,
      input.description ?? null,
      input.keywords ?? null,
      input.logoUrl ?? null,
      input.darkLogoUrl ?? null,
      ctx.now(),
    );
    return row;
  }
}
