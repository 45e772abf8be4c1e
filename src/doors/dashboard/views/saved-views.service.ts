import { Injectable } from '@nestjs/common';
import { type Group, includesScope, isWithin } from '../../../access/rights.js';
import { explainConstraints, forbidden, invalidInput, notFound } from '../../../platform/errors.js';
import { used } from '../../../platform/problems.js';
import type { Deleted } from '../../../platform/schema/pages/page.dto.js';
import { changeRecord, createRecord, deleteRecord, getRecord } from '../../../platform/store/records.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { SavedView } from './saved-view.entity.js';
import {
  type ChangeViewInput,
  type SavedViewRecord,
  type SaveViewInput,
  StoredView,
} from './saved-views.dto.js';
import { VIEWED, type Viewed } from './viewed.js';
import { columns } from '../../../platform/database/columns.js';
import { statement } from '../../../platform/database/statement.js';

/** There are few of them, so a list is never paged. */
const LIST_VIEWS = statement(
  'list_saved_views',
  `select ${columns(SavedView, 'v')}
   from saved_views v where v.store_id = $store and v.page = $page order by v.id`,
);

/** Views are saved one after the other, so that they cannot become too many. */
const LOCK_VIEWS = statement(
  'lock_saved_views',
  `select pg_advisory_xact_lock(hashtextextended('saved_views:' || $store::text, 0))`,
);

const COUNT_VIEWS = statement(
  'count_saved_views',
  `select count(*)::integer as "count!" from saved_views v where v.store_id = $store and v.page = $page`,
);

const MOST = 50;
const MOST_LETTERS = 2_000;
const VIEW = { entity: SavedView, name: 'Saved view', output: StoredView };

explainConstraints({ saved_views_name_key: used('name', 'view of this page') });

/** Filters of a page under a name, for all members who may see the page (docs/behaviour.md §10). */
@Injectable()
export class SavedViews {
  async list(ctx: StoreContext, page: Viewed): Promise<SavedViewRecord[]> {
    mustSee(ctx, page);
    return (await ctx.session.read(LIST_VIEWS, { page })).map((view) => shown(ctx, view));
  }

  /** @throws OperationError invalid_input also for a name that is used, or one view too many */
  async save(ctx: StoreContext, { page, name, query }: SaveViewInput): Promise<SavedViewRecord> {
    mustSee(ctx, page);
    const values = { page, name, query: queryOf(page, query) };
    await ctx.session.query(LOCK_VIEWS);
    const [{ count }] = await ctx.session.query(COUNT_VIEWS, { page });
    if (count >= MOST)
      throw invalidInput(`page has ${MOST} views, which is the most: delete one first`).about('views_most', {
        most: MOST,
      });
    const own = { nameKey: keyOf(name), createdBy: ctx.actor.kind === 'user' ? ctx.actor.id : null };
    return shown(ctx, await createRecord(ctx, VIEW, values, { ...values, ...own }));
  }

  async change(ctx: StoreContext, { id, name, query }: ChangeViewInput): Promise<SavedViewRecord> {
    const changed = await changeRecord(ctx, VIEW, id, (view) => {
      mustSeeView(ctx, view);
      return {
        ...(name !== undefined && { name, nameKey: keyOf(name) }),
        ...(query !== undefined && { query: queryOf(view.page as Viewed, query) }),
      };
    });
    return shown(ctx, changed);
  }

  /** @throws OperationError forbidden for a view of somebody else, unless an owner deletes it */
  async delete(ctx: StoreContext, id: string): Promise<Deleted> {
    const view = await getRecord(ctx, VIEW, id);
    mustSeeView(ctx, view);
    if (!mayDelete(ctx, view))
      throw forbidden('Only who saved a view and owners may delete it').about('view_not_yours');
    return deleteRecord(ctx, VIEW, id);
  }
}

const shown = (ctx: StoreContext, view: Omit<SavedView, 'storeId'>): SavedViewRecord => ({
  ...view,
  mayDelete: mayDelete(ctx, view),
});

const mayDelete = (ctx: StoreContext, { createdBy }: Pick<SavedView, 'createdBy'>) =>
  createdBy === ctx.actor.id || includesScope(ctx.call!.auth.principal!.scope, 'admin');

const sees = (ctx: StoreContext, group: Group) =>
  isWithin(ctx.call!.auth.principal!, { name: 'views', groups: [group] });

function mustSee(ctx: StoreContext, page: Viewed): void {
  if (!sees(ctx, page)) throw forbidden(`page: you may not see the ${page} of this store`);
}

/** A view of a page that the member may not see is like none. */
function mustSeeView(ctx: StoreContext, { id, page }: SavedView): void {
  if (!sees(ctx, page as Viewed)) throw notFound(VIEW.name, id);
}

/** Without regard to case, in any script and however the database sorts. */
const keyOf = (name: string) => name.normalize('NFKC').toLowerCase();

/**
 * The filters in the order of their names, so that equal ones are equal texts.
 * @throws OperationError invalid_input unless they are filters of that page, each given once
 */
function queryOf(page: Viewed, query: string): string {
  const given = new URLSearchParams(query);
  const names = [...given.keys()];
  const known: readonly string[] = VIEWED[page];
  const strange = names.find((name) => !known.includes(name));
  if (strange !== undefined)
    throw invalidInput(`query has ${JSON.stringify(strange.slice(0, 60))}, which is no filter of ${page}`);
  if (new Set(names).size < names.length) throw invalidInput('query has a filter twice');
  given.sort();
  const text = new URLSearchParams([...given].filter(([, value]) => value !== '')).toString();
  if (text === '') throw invalidInput('query must have a filter');
  if (text.length > MOST_LETTERS) throw invalidInput(`query must be at most ${MOST_LETTERS} characters long`);
  return text;
}
