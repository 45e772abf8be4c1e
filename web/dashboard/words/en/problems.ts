import type { FieldProblems, Problem, ValuesOf } from '../../../../src/platform/problems';
import { inForms, minutesTo, type Money, onPages } from '../problems-on-pages';
import first from '../en';
import { plurals } from '../plural';
import { opened } from './opened';
import { sell } from './sell';
import { noToken } from './warnings';

const n = plurals('en');

/** The words of each problem of a field, and of all others. Several are said one after another. */
export type FieldProblemWords = WordsOf<keyof FieldProblems>;
export type ProblemWords = WordsOf<Exclude<Problem, keyof FieldProblems | 'several'>>;
type WordsOf<Names extends Problem> = { [Name in Names]: (values: ValuesOf<Name>, money: Money) => string };

const between = (min: number, max: number) => `From ${min} to ${max}.`;
const pages = { ...first, ...opened, ...sell };
const statusOf = (name: string) => first.status[name as keyof typeof first.status] ?? name;

const UNITS = { hour: 'hours', day: 'days', week: 'weeks', month: 'months' };

export const fieldProblems: FieldProblemWords = {
  ...inForms(pages, between),
  gone: () => 'This does not exist any more. Choose another.',
  email: () => 'An e-mail address, for example name@example.com.',
  bot_token: () => 'The token as the messenger gives it: digits, a colon, and letters.',
  list: ({ min, max, characters }) =>
    min !== undefined
      ? between(min, max)
      : characters === undefined
        ? `At most ${max} of these.`
        : `At most ${max}, each of at most ${n(characters, { one: '# character', other: '# characters' })}.`,
  bytes_most: ({ most }) => `This is too much to keep: at most ${most} bytes. Shorten it.`,
  choose_one: () => 'Choose one of the values on offer.',
  date: () => 'A date and time.',
  characters: () => 'This has characters that cannot be kept. Type it anew.',
  https: () => 'The address must start with https://.',
  public_host: () => 'The address must be reachable from the internet.',
  port: () => 'The address must have an ordinary port: 443, or one from 1024 on.',
  no_password: () => 'The address must not contain a user name or password.',
  not_future: () => 'This must be in the future.',
  no_sale: () => 'There is no sale: give a sale price too.',
  time_zone: () => 'There is no such time zone. Choose one of the list.',
  named_twice: () => 'This stands here twice.',
};

export const problems: ProblemWords = {
  ...onPages(pages),

  // Any call.
  changed_meanwhile: () => 'This has changed meanwhile. Load the page again.',
  file_most: ({ most }) => `The file must not be larger than ${most}.`,
  picture_kind: () => 'Only pictures of the kinds PNG, JPEG, WebP and GIF can be uploaded.',
  pictures_most: ({ mebibytes }) =>
    `The pictures of this store take ${mebibytes} MiB, which is the most. Remove some from their products, or ` +
    'give the address of a picture elsewhere.',
  suspended: ({ reason }) => `This store is suspended: ${reason}`,
  not_in_plan: () => 'The plan of the store does not include this.',
  start_first: () => 'The beginning must be before the end.',
  period_most: ({ most, unit }) => `The period has more than ${most} ${UNITS[unit]}. Choose a shorter one.`,

  // People.
  prove: () => 'Give your password or a code once more.',
  wrong_password: () => 'This is not your password.',
  wrong_code: () => 'The code is wrong, or was used before.',
  wrong_sign_in: () => 'The e-mail address or the password is wrong.',
  easy_password: () =>
    'This password is too easy to guess. A few words that have nothing to do with each other are a good one.',
  member_already: () => 'This person is a member of the store already.',
  invited_already: () => 'Somebody else has invited this person at this moment.',
  invitations_most: ({ most }) =>
    `There are ${most} open invitations, which is the most. Withdraw some first.`,
  bad_link: () => 'This link is not whole. Copy all of it.',
  used_link: () => 'This link has been used, or is too old. Ask for a new one.',
  signed_in_as: ({ email }) => `You are signed in as ${email}, so no password is needed.`,
  signed_out: () => 'Your session has ended. Sign in again.',
  only_owner: () => 'This is the only owner of the store. Make somebody else an owner first.',
  owner_already: () => 'You are an owner of this store already.',
  kept_by_another: () => 'Only another owner may keep what you made.',
  one_group: () => 'Choose at least one.',
  tokens_most: ({ most }) => `The store has ${most} tokens, which is the most. Revoke one first.`,

  // The catalog.
  own_parent: () => 'A category can be neither below itself nor below one of its own.',
  same_value: () => 'There is such a variant already.',
  options_most: ({ most }) => `A product has at most ${most} options.`,
  values_most: ({ most }) => `An option has at most ${most} values.`,
  variants_most: ({ most }) => `A product has at most ${most} variants.`,
  stock_beyond: ({ stock }) => `The stock would become ${stock}, which is not possible.`,
  sold_uncounted: () => 'It was sold while its stock was not counted. Count it, and set the stock.',
  several_have_code: () => 'Several products or variants have this code.',
  choose_variant: () => 'This product is sold in variants. Choose one.',
  products_most: ({ count, most }) =>
    `It has ${count} products, and at most ${most} can lose it at once. Take it off some of them first.`,

  // Orders and customers.
  not_on_sale: () => 'This product is not on sale.',
  out_of_stock: ({ left }) => `Only ${left} in stock.`,
  line_most: ({ most }) => `At most ${most}, because the product is no longer in the catalog.`,
  items_too_late: ({ status }) =>
    `Items can be changed until an order is shipped. This one is: ${statusOf(status)}.`,
  items_being_paid: ({ until }) =>
    `The shopper is paying for this order. Its items can be changed in ${n(minutesTo(until), { one: '# minute', other: '# minutes' })}.`,
  below_bonus: ({ amount }, { major }) =>
    `The items must come to at least ${major(Number(amount))}, which were paid with bonus.`,
  order_too_large: () => 'The items come to more than an order can hold.',
  note_not_yours: () => 'Only who wrote a note can delete it.',
  note_too_old: () => 'The note is older than 5 minutes, so it stays.',
  balance_below: ({ balance }, { major }) =>
    `The balance is ${major(Number(balance))} and cannot fall below zero.`,
  balance_above: ({ most }, { major }) => `The balance cannot be above ${major(Number(most))}.`,
  answer_missing: () => 'An answer that the order form requires is missing.',
  answer_wrong: () => 'An answer does not fit the order form.',
  promocode_not_asked: () => 'Promocodes are not taken at the moment.',
  promocode_unknown: () => 'There is no such promocode.',
  promocode_inactive: () => 'The promocode is switched off.',
  promocode_expired: () => 'The promocode has expired.',
  promocode_used_up: () => 'The promocode has been used up.',
  promocode_or_bonus: () => 'A promocode and bonus cannot be used together.',
  bonus_not_asked: () => 'Bonus is not taken at the moment.',
  bonus_too_much: ({ most }, { major }) => `Bonus can pay at most ${major(most)}.`,
  tip_too_much: ({ most }, { minor }) => `The tip can be at most ${minor(most)}.`,
  method_unknown: ({ withoutToken: name }) =>
    name === undefined ? 'Choose a way to pay that this store has.' : noToken(name),
  method_currency: ({ method }) => `${method} does not take the currency of this store.`,
  no_orders_yet: () => 'The store cannot take orders yet: there is no way to pay.',

  // The shop's settings, its bot and its deliveries.
  masked: () => 'Type this anew: what is kept is a secret, and never shown.',
  conditions_most: ({ count }) => `The form has ${count} conditions, and can have 1,000.`,
  providers_most: ({ most }) => `A store has at most ${most} ways to pay.`,
  of_checkout_form: () => 'This belongs to a payment button of the order form. Change it there.',
  no_invoices: () => 'This way to pay has no invoices of the messenger: only a token, or Stars, makes them.',
  no_bot: () => 'Connect the bot of the store first.',
  no_switch: () => 'This message is always sent: it cannot be switched on or off.',
  no_button_address: () => 'The button has an address only if it opens an app of yours.',
  bot_elsewhere: () => 'Another store has connected this bot, and a bot belongs to one store.',
  token_refused: () => 'The messenger does not know this token. Nothing was changed.',
  messenger_said: ({ why }) => `The bot is not connected, nothing was changed. The messenger says: ${why}`,
  recipients_most: ({ count, most }) =>
    `That would go to ${count} customers, and one message goes to at most ${most}. Choose fewer.`,
  being_sent: () => 'This message is being sent at this moment. Wait until that has ended.',
  body_gone: () => 'Its order was deleted, and what was sent with it: it cannot be sent again.',
};
