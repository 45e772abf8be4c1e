import {
  groupTitle,
  includesScope,
  LEVEL_NAMES,
  type Role,
  type Scope,
  titleOf,
} from '../../../access/rights.js';
import type { LastGrant } from '../../../people/apps/connections.service.js';
import type { GroupChoice } from '../group-choices.js';
import { LIMIT_FIELDS, type LimitFields } from '../limits-form.js';
import { type Html, html, page } from './layout.js';

const LOCAL_APP =
  'That is a program on this computer. Any program here could use this name: ' +
  'go on only if you have just started the app yourself.';

/**
 * @param isOver nothing is wrong with the app: its request is not waiting any more
 * @param back the address of the page on which the person goes on, if there is one
 */
export const errorPage = (message: string, { isOver = false, back = '' } = {}): string =>
  page(
    isOver ? 'This request is over' : 'This app cannot be connected',
    html`<p role="alert">${message}</p>
      ${
        !isOver &&
        html`<p>
          Go back to the app and try again. If it keeps happening, tell the people who make the app what
          stands here.
        </p>`
      }
      ${back !== '' && html`<p><a href="${back}">Back</a></p>`}`,
  );

/**
 * For a browser that comes from another site, which does not send the session cookie with its first request.
 */
export const continuePage = (path: string): string =>
  page(
    'Connect an app to your shop',
    html`<p>An app asks for access to a shop that you run.</p>
      <form method="get" action="${path}"><button class="main">Continue</button></form>`,
  );

interface SignInPage {
  /** The path of the pages of this request. */
  path: string;
  appName: string;
  email?: string;
  problem?: string;
  /** The field to which the problem belongs. */
  field?: 'password' | 'code';
}

/** Focuses a field and ties the problem to it. */
const bad = (name: string, field?: string) =>
  name === field && html`autofocus aria-invalid="true" aria-describedby="problem"`;

export const signInPage = ({ path, appName, email = '', problem, field }: SignInPage): string =>
  page(
    'Sign in to continue',
    html`<p>Sign in to decide about <strong>${appName}</strong> (a name that the app chose itself).</p>
      ${problem !== undefined && html`<p role="alert" id="problem">${problem}</p>`}
      <form method="post" action="${path}/sign-in">
        <label
          >E-mail address
          <input class="text" name="email" type="email" autocomplete="username" required value="${email}"
        /></label>
        <label
          >Password
          <input
            class="text"
            name="password"
            type="password"
            autocomplete="current-password"
            required
            ${bad('password', field)}
        /></label>
        <label
          >Code of your authenticator app, or a recovery code
          <small>Leave it empty if you have not turned the second factor on.</small>
          <input
            class="text"
            name="code"
            autocomplete="one-time-code"
            autocapitalize="off"
            spellcheck="false"
            ${bad('code', field)}
        /></label>
        <button class="main">Sign in</button>
      </form>`,
  );

const MEANING: Record<Scope, string> = {
  read: 'It sees orders, customers, products, settings and figures. It changes nothing.',
  write:
    'It can also change orders, products, stock, prices, customers and settings, refund, and send ' +
    'messages to customers in the name of the shop.',
  admin: 'It can also delete records for good. Only an owner can allow this.',
};

interface ConsentPage {
  path: string;
  csrf: string;
  appName: string;
  /** The host of the client's document; null if the client has none. */
  appHost: string | null;
  isPartner: boolean;
  /** The host, or the app's own scheme, to which the browser is redirected. */
  redirectHost: string;
  isLocal: boolean;
  email: string;
  stores: { id: string; name: string; role: Role }[];
  scopes: Scope[];
  /** The highest scope that the app asked for. */
  wanted: Scope;
  groups: GroupChoice[];
  last: LastGrant | null;
  problem?: string;
  limits: LimitFields;
}

export function consentPage(consent: ConsentPage): string {
  const { path, csrf, appName, redirectHost, isLocal, email, stores, scopes, wanted, groups, problem } =
    consent;
  const preselected = scopes.findLast((scope) => includesScope(wanted, scope));
  return page(
    'Connect an app to your shop',
    html`${problem !== undefined && html`<p role="alert" tabindex="-1" autofocus>${problem}</p>`}
      <p>
        <strong>${appName}</strong> asks for access to a shop of yours. The app chose this name itself; nobody
        has verified it.
      </p>
      <dl>
        <dt>The app comes from</dt>
        <dd><strong>${sourceOf(consent)}</strong></dd>
        <dt>Next, your browser goes to</dt>
        <dd><strong>${redirectHost}</strong></dd>
        <dt>You are signed in as</dt>
        <dd>${email}</dd>
      </dl>
      ${isLocal && html`<p class="note">${LOCAL_APP}</p>`} ${changeOf(consent)}
      ${
        stores.length === 0
          ? html`<p role="alert">
              You are not a member of any store, so there is nothing to connect. Sign in with another account,
              or say no.
            </p>`
          : null
      }
      <form method="post" action="${path}">
        <input type="hidden" name="csrf" value="${csrf}" />
        ${
          stores.length > 0 &&
          html`<fieldset>
              <legend>Which store?</legend>
              ${stores.map((store) => storeChoice(store, stores.length === 1))}
            </fieldset>
            <fieldset>
              <legend>What may it do?</legend>
              ${scopes.map((scope) => scopeChoice(scope, scope === preselected))}
            </fieldset>
            ${groupFields(groups)}
            ${scopes.includes('write') && html`${limitFields(consent.limits)} ${askFirst(consent)}`}
            ${scopes.includes('admin') && proof(email)}
            <p>You can disconnect it at any time, on the dashboard of the store.</p>
            <button class="main" name="decision" value="allow">Allow</button>`
        }
        <button name="decision" value="deny" formnovalidate>Do not allow</button>
      </form>
      <form method="post" action="${path}/sign-out">
        <input type="hidden" name="csrf" value="${csrf}" /><button>Use another account</button>
      </form>`,
  );
}

function sourceOf({ appHost, isPartner }: ConsentPage): string {
  if (appHost !== null) return appHost;
  return isPartner ? 'a partner of this service' : 'an unknown publisher: it registered itself';
}

/** What the app has, and what it asks for now. */
function changeOf({ last, wanted, groups, stores }: ConsentPage): Html {
  if (!last?.isLive) return html``;
  const level = last.scope as Scope;
  const asked = [
    ...(includesScope(level, wanted) ? [] : [LEVEL_NAMES[wanted]]),
    ...groups.filter(({ isAsked }) => isAsked).map(({ name }) => groupTitle(name)),
  ];
  const held = groups.filter(({ isHeld }) => isHeld).length;
  const where = stores.length > 1 && html` in ${last.storeName}`;
  return html`<p class="note">
    It has${where}: ${LEVEL_NAMES[level]}, in ${String(held)} of the ${String(groups.length)} areas below.
    ${asked.length > 0 && html`It now asks for: <strong>${asked.join(', ')}</strong>.`}
  </p>`;
}

/** The hidden field says that the page had these fields, also if nothing is checked. */
function groupFields(groups: GroupChoice[]): Html {
  const [asked, rest] = [true, false].map((isAsked) => groups.filter((group) => group.isAsked === isAsked));
  const [apart, usual] = [true, false].map((isApart) => rest.filter((group) => group.isApart === isApart));
  const fieldset = (legend: string, choices: GroupChoice[]) =>
    choices.length > 0 &&
    html`<fieldset>
      <legend>${legend}</legend>
      ${choices.map(groupChoice)}
    </fieldset>`;
  return html`<input type="hidden" name="groups" value="" /> ${fieldset('It asks for this now', asked)}
    ${fieldset('What may it work with?', usual)} ${fieldset('Only if it needs them', apart)}`;
}

const groupChoice = ({ name, about, isChecked }: GroupChoice) =>
  html`<label class="choice"
    ><input type="checkbox" name="groups" value="${name}" ${isChecked && html` checked`} /><span
      >${groupTitle(name)} <small>${about}</small></span
    ></label
  >`;

const limitFields = (given: LimitFields) =>
  html`<fieldset>
    <legend>How much a day, at most?</legend>
    <p>
      Leave a field empty to set no limit. Amounts are in the currency of the store; a day ends at midnight of
      its time zone. They do not limit promocodes, prices, and the rules of bonus and cashback: uncheck what
      the app does not need.
    </p>
    ${(Object.keys(LIMIT_FIELDS) as (keyof LimitFields)[]).map(
      (name) =>
        html`<label
          >${LIMIT_FIELDS[name]}
          <input class="text" name="${name}" inputmode="decimal" autocomplete="off" value="${given[name]}"
        /></label>`,
    )}
  </fieldset>`;

/** Clients that can ask by themselves do so in any case. */
const askFirst = ({ last }: ConsentPage) =>
  html`<label class="choice"
    ><input type="checkbox" name="askFirst" value="true" ${last?.asksFirst === true && html` checked`} /><span
      >Ask me first
      <small
        >What cannot be undone, gets a warning or concerns more than 20 records waits on the page "Approvals"
        of the dashboard until you press Apply.</small
      ></span
    ></label
  >`;

/** With the address for password managers. */
const proof = (email: string) =>
  html`<p>To allow "Everything", give your password or a code once more:</p>
    <input type="text" name="username" autocomplete="username" value="${email}" hidden />
    <label
      >Password <input class="text" name="currentPassword" type="password" autocomplete="current-password"
    /></label>
    <label
      >Or a code of your authenticator app
      <input class="text" name="code" autocomplete="one-time-code" autocapitalize="off" spellcheck="false"
    /></label>`;

const storeChoice = ({ id, name, role }: ConsentPage['stores'][number], isOnly: boolean) =>
  html`<label class="choice"
    ><input type="radio" name="store" value="${id}" required${isOnly && html` checked`} /><span
      >${name} <small>You are ${titleOf(role)}.</small></span
    ></label
  >`;

const scopeChoice = (scope: Scope, isChecked: boolean) =>
  html`<label class="choice"
    ><input type="radio" name="scope" value="${scope}" required${isChecked && html` checked`} /><span
      >${LEVEL_NAMES[scope]} <small>${MEANING[scope]}</small></span
    ></label
  >`;
