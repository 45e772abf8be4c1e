import { systemStatement } from '../platform/database/statement.js';

/** No other call of the store may connect the bot until then; none if one is connecting it. */
export const CLAIM_BOT = systemStatement(
  'claim_bot',
  `insert into bot_claims as c (store_id, bot_id, holder, ends_at)
   values ($store, $botId, $holder, now() + make_interval(secs => $seconds))
   on conflict (store_id, bot_id) do update
     set holder = $holder, is_proven = false, ends_at = now() + make_interval(secs => $seconds)
     where c.ends_at <= now()
   returning holder`,
);

/** The claims of calls that ended before they released them. */
export const END_OLD_CLAIMS = systemStatement(
  'end_old_bot_claims',
  `delete from bot_claims where bot_id = $botId and ends_at <= now()`,
);

/** The holder has the bot's token, so no other store may connect it; none if another store has it. */
export const PROVE_CLAIM = systemStatement(
  'prove_bot_claim',
  `update bot_claims c set is_proven = true
   where c.store_id = $store and c.bot_id = $botId and c.holder = $holder
     and not exists (select from bots b where b.bot_id = $botId and b.store_id <> $store)
   returning holder`,
);

export const END_CLAIM = systemStatement(
  'end_bot_claim',
  `delete from bot_claims where store_id = $store and bot_id = $botId and holder = $holder`,
);
