import type { FieldProblemWords, ProblemWords } from '../en/problems';
import { inForms, minutesTo, onPages } from '../problems-on-pages';
import first from '../uk';
import { plurals } from '../plural';
import { opened } from './opened';
import { sell } from './sell';
import { noToken } from './warnings';

const n = plurals('uk');

const between = (min: number, max: number) => `Від ${min} до ${max}.`;
const pages = { ...first, ...opened, ...sell };
const statusOf = (name: string) => first.status[name as keyof typeof first.status] ?? name;

const UNITS = { hour: 'годин', day: 'днів', week: 'тижнів', month: 'місяців' };

export const fieldProblems: FieldProblemWords = {
  ...inForms(pages, between),
  gone: () => 'Цього вже немає. Виберіть інше.',
  email: () => 'Адреса електронної пошти, наприклад name@example.com.',
  bot_token: () => 'Токен, як його дає месенджер: цифри, двокрапка й літери.',
  list: ({ min, max, characters }) =>
    min !== undefined
      ? between(min, max)
      : characters === undefined
        ? `Не більше ${max}.`
        : `Не більше ${max}, у кожному не більше ${n(characters, { one: '# символу', other: '# символів' })}.`,
  bytes_most: ({ most }) => `Це забагато, можна не більше ${most} байтів. Скоротіть.`,
  choose_one: () => 'Виберіть одне із запропонованих значень.',
  date: () => 'Дата й час.',
  characters: () => 'Тут є символи, які не можна зберегти. Введіть текст наново.',
  https: () => 'Адреса має починатися з https://.',
  public_host: () => 'Адреса має бути доступна з інтернету.',
  port: () => 'В адресі має бути звичайний порт: 443 або від 1024.',
  no_password: () => 'В адресі не має бути імені користувача чи пароля.',
  not_future: () => 'Це має бути в майбутньому.',
  no_sale: () => 'Акції немає: задайте й ціну зі знижкою.',
  time_zone: () => 'Такого часового поясу немає. Виберіть зі списку.',
  named_twice: () => 'Тут це двічі.',
};

export const problems: ProblemWords = {
  ...onPages(pages),

  // Any call.
  changed_meanwhile: () => 'Тим часом це змінилося. Завантажте сторінку знову.',
  file_most: ({ most }) => `Файл має бути не більший ніж ${most}.`,
  picture_kind: () => 'Завантажити можна лише зображення PNG, JPEG, WebP або GIF.',
  pictures_most: ({ mebibytes }) =>
    `Зображення магазину займають ${mebibytes} МіБ, більше не можна. Приберіть якісь із товарів або вкажіть ` +
    'адресу зображення деінде.',
  suspended: ({ reason }) => `Магазин призупинено: ${reason}`,
  not_in_plan: () => 'Тариф магазину цього не охоплює.',
  start_first: () => 'Початок має бути раніше за кінець.',
  period_most: ({ most, unit }) => `У періоді більше ніж ${most} ${UNITS[unit]}. Виберіть коротший.`,

  // People.
  prove: () => 'Введіть пароль або код ще раз.',
  wrong_password: () => 'Це не ваш пароль.',
  wrong_code: () => 'Код неправильний або вже використаний.',
  wrong_sign_in: () => 'Неправильна адреса пошти або пароль.',
  easy_password: () => 'Цей пароль легко вгадати. Добрий пароль – кілька не пов’язаних між собою слів.',
  member_already: () => 'Ця людина вже є учасником магазину.',
  invited_already: () => 'Цю людину щойно запросив хтось інший.',
  invitations_most: ({ most }) => `Відкритих запрошень уже ${most}, більше не можна. Спершу відкличте якісь.`,
  bad_link: () => 'Посилання неповне. Скопіюйте його цілком.',
  used_link: () => 'Посилання вже використано або воно застаріло. Попросіть нове.',
  signed_in_as: ({ email }) => `Ви увійшли як ${email}, тож пароль не потрібен.`,
  signed_out: () => 'Ваш сеанс закінчився. Увійдіть знову.',
  only_owner: () => 'Це єдиний власник магазину. Спершу зробіть власником когось іншого.',
  owner_already: () => 'Ви вже власник цього магазину.',
  kept_by_another: () => 'Залишити те, що ви створили, може лише інший власник.',
  one_group: () => 'Виберіть хоча б одне.',
  tokens_most: ({ most }) => `Магазин має ${most} токенів, більше не можна. Спершу відкличте якийсь.`,

  // The catalog.
  own_parent: () => 'Категорія не може бути всередині самої себе чи своєї підкатегорії.',
  same_value: () => 'Такий варіант уже є.',
  options_most: ({ most }) => `Товар може мати не більше ${most} параметрів.`,
  values_most: ({ most }) => `Параметр може мати не більше ${most} значень.`,
  variants_most: ({ most }) => `Товар може мати не більше ${most} варіантів.`,
  stock_beyond: ({ stock }) => `Залишок став би ${stock}, а це неможливо.`,
  sold_uncounted: () => 'Це продавали, доки залишок не рахували. Порахуйте його й задайте.',
  several_have_code: () => 'Цей код мають кілька товарів або варіантів.',
  choose_variant: () => 'Цей товар продається варіантами. Виберіть варіант.',
  products_most: ({ count, most }) =>
    `Тут ${count} товарів, а за раз звільнити можна щонайбільше ${most}. Спершу приберіть її з частини товарів.`,

  // Orders and customers.
  not_on_sale: () => 'Цей товар не продається.',
  out_of_stock: ({ left }) => `У наявності лише ${left}.`,
  line_most: ({ most }) => `Не більше ${most}, бо товару вже немає в каталозі.`,
  items_too_late: ({ status }) =>
    `Товари можна змінювати, доки замовлення не відправлено. Його стан: ${statusOf(status)}.`,
  items_being_paid: ({ until }) =>
    `Покупець саме оплачує це замовлення. Товари можна буде змінити за ${minutesTo(until)} хв.`,
  below_bonus: ({ amount }, { major }) =>
    `Товари мають коштувати щонайменше ${major(Number(amount))}: стільки сплачено бонусами.`,
  order_too_large: () => 'Сума товарів завелика для замовлення.',
  note_not_yours: () => 'Видалити нотатку може лише той, хто її написав.',
  note_too_old: () => 'Нотатці понад 5 хвилин, тож вона лишається.',
  balance_below: ({ balance }, { major }) => `На рахунку ${major(Number(balance))}, менше нуля бути не може.`,
  balance_above: ({ most }, { major }) => `На рахунку не може бути більше ніж ${major(Number(most))}.`,
  answer_missing: () => 'Бракує відповіді, якої вимагає форма замовлення.',
  answer_wrong: () => 'Відповідь не відповідає формі замовлення.',
  promocode_not_asked: () => 'Промокоди зараз не приймаються.',
  promocode_unknown: () => 'Такого промокоду немає.',
  promocode_inactive: () => 'Промокод вимкнено.',
  promocode_expired: () => 'Строк дії промокоду минув.',
  promocode_used_up: () => 'Промокод уже використано стільки разів, скільки можна.',
  promocode_or_bonus: () => 'Промокод і бонуси не можна поєднувати.',
  bonus_not_asked: () => 'Бонуси зараз не приймаються.',
  bonus_too_much: ({ most }, { major }) => `Бонусами можна сплатити не більше ${major(most)}.`,
  tip_too_much: ({ most }, { minor }) => `Чайові – не більше ${minor(most)}.`,
  method_unknown: ({ withoutToken: name }) =>
    name === undefined ? 'Виберіть спосіб оплати, який є в магазині.' : noToken(name),
  method_currency: ({ method }) => `${method} не приймає валюту цього магазину.`,
  no_orders_yet: () => 'Магазин ще не приймає замовлень: немає способу оплати.',

  // The shop's settings, its bot and its deliveries.
  masked: () => 'Введіть це наново: збережене є таємницею, і його не показують.',
  conditions_most: ({ count }) => `У формі ${count} умов, а може бути 1000.`,
  providers_most: ({ most }) => `Магазин може мати не більше ${most} способів оплати.`,
  of_checkout_form: () => 'Це належить кнопці оплати у формі замовлення. Змініть його там.',
  no_invoices: () => 'Цей спосіб оплати не має рахунків месенджера: їх дає лише токен або зірки.',
  no_bot: () => 'Спершу підключіть бота магазину.',
  no_switch: () => 'Це повідомлення надсилається завжди: вимкнути його не можна.',
  no_button_address: () => 'Адресу кнопка має лише тоді, коли відкриває ваш застосунок.',
  bot_elsewhere: () => 'Цього бота вже підключив інший магазин, а бот належить лише одному.',
  token_refused: () => 'Месенджер не знає такого токена. Нічого не змінено.',
  messenger_said: ({ why }) => `Бота не під’єднано, нічого не змінено. Відповідь месенджера: ${why}`,
  recipients_most: ({ count, most }) =>
    `Це отримали б ${count} покупців, а одне повідомлення надсилається не більш ніж ${most}. Виберіть менше.`,
  being_sent: () => 'Це повідомлення саме надсилається. Зачекайте, доки це завершиться.',
  body_gone: () => 'Замовлення видалено разом із тим, що надсилали: надіслати ще раз не можна.',
};
