import { Inject, Injectable } from '@nestjs/common';
import type { Implementation } from '@modelcontextprotocol/server';
import { includesPlace, includesScope, type Scope, SCOPES } from '../../../access/rights.js';
import { OperationRegistry } from '../../../platform/call/operation.registry.js';
import { Clock } from '../../../platform/clock.js';
import { CONFIG, type Config } from '../../../platform/config/config.js';
import { currencyExponent } from '../../../platform/money.js';
import type { Principal } from '../../../platform/store/call.js';
import { StoreDatabase } from '../../../platform/store/store-context.js';
import { zonedTime } from '../../../stores/time-zone.js';
import { INSTRUCTIONS, SERVER } from './instructions.js';
import { type ShownStore, shownStore } from './shown-store.js';
import type { Narrowing } from '../tool-selection.js';

/** What a scope adds to those below it. */
const ADDS: Record<Scope, string> = { read: 'look', write: 'change', admin: 'delete' };
const MOST_NAMES = 20;

/** What a model and its person read about one connection (docs/behaviour.md §8). */
@Injectable()
export class ConnectionText {
  constructor(
    private readonly operations: OperationRegistry,
    private readonly stores: StoreDatabase,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The server's description and instructions. @param narrowing by the address that the client was given */
  async of(
    principal: Principal,
    narrowing: Narrowing,
  ): Promise<{ server: Implementation; instructions: string }> {
    const store = await this.stores.inStore(principal, shownStore);
    const instructions = [this.connection(principal, store), this.reach(principal), narrowed(narrowing)]
      .filter((text) => text !== '')
      .concat(INSTRUCTIONS)
      .join('\n');
    const { baseUrl } = this.config;
    const icon = { src: `${baseUrl}/dashboard/favicon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] };
    const about = { title: `${SERVER.title}: ${store.name}`, websiteUrl: baseUrl, icons: [icon] };
    return { server: { ...SERVER, ...about }, instructions };
  }

  private connection({ currency, scope, storeId }: Principal, { name, timeZone }: ShownStore): string {
    const { read, write } = this.config.rateLimit;
    const may =
      scope === null ? 'do nothing' : SCOPES.slice(0, SCOPES.indexOf(scope) + 1).map((s) => ADDS[s]);
    return (
      `Store: ${name} (${storeId}), ${currency} with ${currencyExponent(currency)} decimals. You may ` +
      `${[may].flat().join(', ')}; ${read} reads and ${write} writes a minute. Now it is ` +
      `${zonedMinute(this.clock.now(), timeZone)} (${timeZone}).`
    );
  }

  /** What is out of reach, and how to get it. */
  private reach(principal: Principal): string {
    const { scope, groups = null, consent } = principal;
    const placeOf = (group: string) => ({ name: '', groups: [group] });
    const all = this.operations.groups();
    const held = (group: string) => groups === null || includesPlace(groups, placeOf(group));
    const personHolds = (group: string) => !consent || includesPlace(consent.groups, placeOf(group));
    const more = SCOPES.filter((level) => !includesScope(scope, level));
    const isGrantable = (level: Scope) => consent !== undefined && includesScope(consent.ceiling, level);
    const sentences: string[] = [];
    const missing = all.filter((group) => !held(group) || !personHolds(group));
    if (missing.length > 0) sentences.push(`Groups: ${groupsText(groups ?? all, all, missing)}.`);
    const offered = [
      ...more.filter(isGrantable).map((level) => `to ${ADDS[level]}`),
      ...(consent && missing.some(personHolds) ? ['other groups'] : []),
    ];
    if (offered.length > 0)
      sentences.push(
        `Not granted yet: ${offered.join(', ')}. Call the tool anyway: the person is asked then.`,
      );
    const refused = more.filter((level) => !isGrantable(level)).map((level) => `to ${ADDS[level]}`);
    const closed = [
      ...refused,
      ...(missing.some((group) => !consent || !personHolds(group)) ? ['other groups'] : []),
    ];
    if (closed.length > 0) {
      const how = consent
        ? 'only an owner can allow it'
        : 'an owner can make a token for it on the dashboard';
      sentences.push(`Out of reach: ${closed.join(', ')}; ${how}.`);
    }
    return sentences.join(' ');
  }
}

const zonedMinute = (moment: Date, timeZone: string) =>
  zonedTime(moment, timeZone).replace(/:\d\d\.\d{3}/, '');

/** The shorter of the names held, and of those missing. */
function groupsText(held: readonly string[], all: string[], missing: string[]): string {
  const isFew = missing.length < all.length / 2;
  const names = isFew ? missing : [...held];
  const more = names.length - MOST_NAMES;
  const shown = names.slice(0, MOST_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return isFew ? `all but ${shown}` : shown;
}

function narrowed({ names, readOnly, compact }: Narrowing): string {
  if (compact) return 'The list of tools is short: find_tools finds the others, call_*_tool call them.';
  if (names === null && !readOnly) return '';
  return 'The address of this connection leaves tools out: ?tools= and ?readonly= say which stay.';
}
