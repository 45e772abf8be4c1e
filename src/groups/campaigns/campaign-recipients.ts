import { invalidInput } from '../../platform/errors.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { isCustomerId } from '../customers/customer-id.js';
import { COUNT_EVERYONE, LIST_EVERYONE, LOOK_UP_CHOSEN } from './campaign.statements.js';
import type { CampaignAudience } from './campaigns.dto.js';

/** The specification's limit on the recipients of one send_campaign call. */
const MAX_RECIPIENTS = 500;

/** The path of a customer in the input, by the place in the list. */
type PathOf = (i: number) => string;

/**
 * How many an audience has: each customer once, without those who are banned or have blocked the bot
 * (docs/behaviour.md §6.8).
 * @throws OperationError invalid_input naming the first customerId that is not a customer of the store
 */
export async function countRecipients(
  ctx: StoreContext,
  audience: CampaignAudience,
  pathOf?: PathOf,
): Promise<number> {
  if (audience.customerIds) return (await chosen(ctx, audience.customerIds, pathOf)).length;
  const [{ count }] = await ctx.session.read(COUNT_EVERYONE);
  return count;
}

/**
 * Returns the ids of the customers that `countRecipients` counts. @throws OperationError invalid_input as
 * there, and if one call may not send to so many
 */
export async function listRecipients(
  ctx: StoreContext,
  audience: CampaignAudience,
  pathOf?: PathOf,
): Promise<string[]> {
  const { customerIds } = audience;
  const ids = customerIds ? await chosen(ctx, customerIds, pathOf) : await everyone(ctx);
  if (ids.length <= MAX_RECIPIENTS) return ids;
  const [count, most] = [await countRecipients(ctx, audience), MAX_RECIPIENTS];
  throw invalidInput(
    `audience has ${count} recipients, and one call sends to at most ${most}: name fewer in customerIds`,
  ).about('recipients_most', { count, most });
}

/** Reads one more than is allowed, to detect that there are too many. */
async function everyone(ctx: StoreContext): Promise<string[]> {
  const rows = await ctx.session.read(LIST_EVERYONE, { most: MAX_RECIPIENTS + 1 });
  return rows.map(({ id }) => id);
}

async function chosen(
  ctx: StoreContext,
  customerIds: string[],
  pathOf: PathOf = (i) => `audience.customerIds[${i}]`,
): Promise<string[]> {
  const wellFormed = new Set(customerIds.filter(isCustomerId));
  const rows = await ctx.session.read(LOOK_UP_CHOSEN, { ids: [...wellFormed] });
  const known = new Set(rows.filter((row) => row.is_known).map(({ id }) => id));
  const unknown = customerIds.findIndex((id) => !known.has(id));
  if (unknown >= 0) {
    throw invalidInput(
      `${pathOf(unknown)} is not a customer of this store: ` +
        JSON.stringify(customerIds[unknown].slice(0, 100)),
    ).about('gone', { path: pathOf(unknown) });
  }
  return rows.filter((row) => row.is_recipient).map(({ id }) => id);
}
