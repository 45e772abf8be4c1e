import { Injectable } from '@nestjs/common';
import { forbidden, invalidInput, notFound } from '../../../platform/errors.js';
import { newId } from '../../../platform/ids.js';
import { isUuid } from '../../../platform/schema/formats.js';
import type { Deleted } from '../../../platform/schema/pages/page.dto.js';
import {
  DEFAULT_TAKE,
  idBelow,
  NEWEST_FIRST,
  type Page,
  pageOf,
} from '../../../platform/schema/pages/page.js';
import { isBlank } from '../../../platform/schema/rules.js';
import { warning } from '../../../platform/problems.js';
import { withWarnings } from '../../../platform/schema/warnings.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { OrderNote } from '../order/order-note.entity.js';
import { Order } from '../order/order.entity.js';
import type {
  AddOrderNoteInput,
  AddOrderNoteResult,
  ListOrderNotesInput,
  OrderNoteRecord,
} from '../order/orders.dto.js';
import { statement } from '../../../platform/database/statement.js';

/**
 * Returns no row if the order does not exist.
 */
const ADD_NOTE = statement(
  'add_order_note',
  `with o as (select store_id, id, updated_at from orders where store_id = $store
    and id = $orderId for share), note as (
     insert into order_notes (store_id, order_id, id, text, author, author_kind, author_id, created_at)
     select o.store_id, o.id, $id, $note, $author, $authorKind, $authorId?, $createdAt from o
     returning id, text, author, created_at as "createdAt"
   ) select note.*, o.updated_at as order_updated_at from note, o`,
);

const LIST_NOTES = statement(
  'list_order_notes',
  `select n.id, n.text, n.author, n.created_at as "createdAt" from order_notes n
   where n.store_id = $store and n.order_id = $orderId order by n.id`,
);

/**
 * Newest first. An order without notes gives one row with a null id.
 */
const PAGE_OF_NOTES = statement(
  'page_of_order_notes',
  `select n.* from orders o left join lateral (
     select n.id, n.text, n.author, n.created_at as "createdAt" from order_notes n
     where n.store_id = o.store_id and n.order_id = o.id and n.id < $idBelow::uuid order by n.id desc
     limit $take
   ) n on true where o.store_id = $store and o.id = $orderId order by n.id desc`,
);

/** How long the author of a note may delete it. */
const NOTE_DELETABLE_MS = 5 * 60_000;

/** The internal notes of orders. Shoppers never see them. */
@Injectable()
export class OrderNotes {
  async add(ctx: StoreContext, { orderId, note }: AddOrderNoteInput): Promise<AddOrderNoteResult> {
    const { name, kind, id } = ctx.actor;
    const values = {
      orderId,
      id: newId(),
      note,
      author: name,
      authorKind: kind,
      authorId: id,
      createdAt: ctx.now(),
    };
    const [row] = await ctx.session.query(ADD_NOTE, values);
    if (!row) throw notFound('Order', orderId);
    ctx.checkUnchanged(row.order_updated_at);
    ctx.audit.target = `order:${orderId}`;
    ctx.audit.changes = { note: [null, row.text] };
    const warnings = isBlank(note) ? [warning('note holds blanks alone', 'blank_note')] : [];
    return withWarnings({ orderId, note: row }, warnings);
  }

  /**
   * Deletes a note that the caller has just written. An older note stays, because others may have read it.
   * @throws OperationError not_found, forbidden for somebody else's note, invalid_input for a note older than
   * 5 minutes
   */
  async delete(ctx: StoreContext, orderId: number, id: string): Promise<Deleted> {
    const notes = ctx.rows(OrderNote);
    const note = isUuid(id) ? await notes.findOne({ id, orderId }, { lock: true }) : null;
    if (!note) throw notFound('Note', id);
    const { actor } = ctx;
    if (note.authorId === null || note.authorKind !== actor.kind || note.authorId !== actor.id) {
      throw forbidden('Only the author of a note may delete it').about('note_not_yours');
    }
    if (ctx.now().getTime() - note.createdAt.getTime() > NOTE_DELETABLE_MS) {
      throw invalidInput('id names a note that is older than 5 minutes: it stays').about('note_too_old');
    }
    await notes.delete({ id });
    ctx.audit.target = `order:${orderId}`;
    ctx.audit.changes = { note: [note.text, null] };
    return { id, deleted: true };
  }

  async list(
    ctx: StoreContext,
    { orderId, take = DEFAULT_TAKE, cursor }: ListOrderNotesInput,
  ): Promise<Page<OrderNoteRecord>> {
    const values = { orderId, idBelow: idBelow(cursor), take: take + 1 };
    const rows = await ctx.session.read(PAGE_OF_NOTES, values);
    if (rows.length === 0) throw notFound('Order', orderId);
    return pageOf(
      rows.filter((row): row is OrderNoteRecord => row.id !== null),
      take,
      NEWEST_FIRST,
    );
  }

  /** All notes of an order, oldest first, for the dashboard. */
  async listAll(ctx: StoreContext, orderId: number): Promise<OrderNoteRecord[]> {
    if (!(await ctx.rows(Order).findOne({ id: orderId }))) throw notFound('Order', orderId);
    return ctx.session.read(LIST_NOTES, { orderId });
  }
}
