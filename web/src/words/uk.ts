import type { Words } from './en';
import { plurals } from './plural';

const n = plurals('uk');

const uk: Words = {
  common: {
    close: 'Закрити',
    cancel: 'Скасувати',
    save: 'Зберегти',
    create: 'Створити',
    edit: 'Змінити',
    delete: 'Видалити',
    add: 'Додати',
    remove: 'Прибрати',
    copy: 'Копіювати',
    copied: 'Скопійовано',
    undo: 'Повернути',
    undone: 'Повернуто',
    saved: 'Збережено',
    created: 'Створено',
    deleted: 'Видалено',
    loading: 'Завантаження',
    more: 'Показати ще',
    retry: 'Спробувати ще раз',
    yes: 'Так',
    no: 'Ні',
    none: 'Немає',
    never: 'Ніколи',
    all: 'Усі',
    search: 'Пошук',
    details: 'Подробиці',
    actions: 'Дії',
    selected: (count) => n(count, { one: 'Вибрано #', other: 'Вибрано #' }),
    selectAll: 'Вибрати все',
    select: (name) => `Вибрати ${name}`,
    nothingFound: 'Нічого не знайдено',
    nothingFoundHint: 'Спробуйте інші слова або приберіть фільтр.',
    optional: 'необов’язково',
    unsaved: 'Є незбережені зміни. Залишити сторінку без них?',
  },
  refusals: {
    title: 'Не вийшло',
    unreachable: 'Сервіс недоступний. Перевірте з’єднання і спробуйте ще раз.',
    rate_limited: (seconds) =>
      n(seconds, {
        one: 'Забагато запитів. Зачекайте # секунду.',
        few: 'Забагато запитів. Зачекайте # секунди.',
        other: 'Забагато запитів. Зачекайте # секунд.',
      }),
    forbidden: 'У цьому магазині вам це не дозволено.',
    internal_error: 'Щось зламалося на нашому боці. Спробуйте ще раз.',
    requestId: 'Для підтримки',
    page: 'Цю сторінку не вдалося показати',
    required: 'Заповніть це поле.',
    tooLong: (max) => n(max, { one: 'Не більше # символу.', other: 'Не більше # символів.' }),
    tooShort: (min) => n(min, { one: 'Не менше # символу.', other: 'Не менше # символів.' }),
    atLeast: (min) => `Не менше ${min}.`,
    atMost: (max) => `Не більше ${max}.`,
    whole: 'Ціле число.',
    number: 'Число.',
    url: 'Повна адреса, що починається з https://',
  },
  conflict: {
    title: 'Тим часом хтось це змінив',
    text: 'Те, що ви ввели, збережено тут. Порівняйте його з тим, що збережено зараз, і виберіть.',
    yours: 'Ваше',
    theirs: 'Збережено зараз',
    keepMine: 'Зберегти моє',
    takeTheirs: 'Взяти збережене',
  },
  confirm: {
    type: (text) => `Введіть ${text}, щоб підтвердити`,
    irreversible: 'Це не можна скасувати.',
  },
  secret: {
    once: 'Це показано лише один раз. Збережіть його там, де тримаєте паролі.',
    done: 'Я зберіг це',
  },
  shell: {
    skip: 'До вмісту сторінки',
    menu: 'Меню',
    pages: 'Сторінки',
    account: 'Обліковий запис',
    store: 'Магазин',
    signOut: 'Вийти',
    dark: 'Темна',
    light: 'Світла',
    asSystem: 'Як у системі',
    appearance: 'Вигляд',
    language: 'Мова',
    keys: 'Клавіатура',
    keysTitle: 'Клавіші',
    keysPalette: 'Пошук і дії',
    keysHelp: 'Цей список',
    keysGo: (page) => `Перейти: ${page}`,
    palette: 'Сторінка, дія, номер замовлення, ім’я',
    noSuchPage: 'За цією адресою нічого немає',
    home: 'До огляду',
    noStores: 'Ви не належите до жодного магазину',
    noStoresHint: 'Попросіть власника магазину запросити вас.',
    sections: {
      sell: 'Продаж',
      catalog: 'Каталог',
      marketing: 'Маркетинг',
      shop: 'Магазин',
      partners: 'Партнери',
      account: 'Обліковий запис',
    },
  },
  signIn: {
    title: 'Вхід',
    again: 'Увійдіть ще раз',
    againHint: 'Сеанс закінчився. Те, що ви ввели, залишилося.',
    email: 'Електронна пошта',
    password: 'Пароль',
    code: 'Код із застосунку або код відновлення',
    submit: 'Увійти',
    forgot: 'Забули пароль?',
    forgotNoMail: 'Попросіть того, хто керує цим сервісом, установити новий пароль.',
    resetRequested: 'Якщо така адреса має обліковий запис, на неї вже надіслано посилання.',
    sendLink: 'Надіслати посилання',
    back: 'Назад',
    newPassword: 'Новий пароль',
    newPasswordHint: 'Не менше 10 символів.',
    resetTitle: 'Виберіть новий пароль',
    resetDone: 'Пароль змінено. Увійдіть із ним.',
    resetSubmit: 'Змінити пароль',
    invitationTitle: 'Приєднатися до магазину',
    invitationTo: (store) => `Приєднатися: ${store}`,
    invitationAs: (email) => `Ви приєднуєтеся як ${email}.`,
    invitationHint: 'Якщо у вас є обліковий запис із цією адресою, введіть його пароль. Інакше виберіть пароль.',
    join: 'Приєднатися',
  },
  status: {
    PENDING: 'Очікує',
    PROCESSING: 'Обробляється',
    SHIPPED: 'Відправлено',
    DELIVERED: 'Доставлено',
    CANCELLED: 'Скасовано',
  },
  fields: {
    id: 'Номер',
    name: 'Назва',
    title: 'Назва',
    description: 'Опис',
    createdAt: 'Створено',
    updatedAt: 'Змінено',
    isActive: 'Діє',
    isHidden: 'Приховано',
    sortOrder: 'Порядок',
    logoUrl: 'Логотип (адреса)',
    imageUrl: 'Зображення (адреса)',
    websiteUrl: 'Сайт',
    slug: 'Назва в адресах',
  },
  hints: {
    sortOrder: 'Менші числа йдуть першими.',
    slug: 'Літери, цифри й дефіси.',
  },

  overview: { title: 'Огляд' },

  orders: {
    title: 'Замовлення',
    one: (id) => `Замовлення ${id}`,
    order: 'Замовлення',
    shopper: 'Покупець',
    status: 'Стан',
    items: 'Товари',
    total: 'Разом',
    placed: 'Створено',
    find: 'Номер, ім’я, @username, накладна, товар',
    empty: 'Замовлень ще немає',
    emptyHint: 'Поділіться магазином: замовлення з месенджера з’являться тут.',
    emptyFiltered: 'Таких замовлень немає',
    emptyFilteredHint: 'Замовлення з’являться тут, щойно хоч одне підійде.',
  },

  customers: { title: 'Покупці' },

  analytics: { title: 'Аналітика' },

  products: { title: 'Товари' },

  brands: {
    title: 'Бренди',
    create: 'Створити бренд',
    empty: 'Брендів ще немає',
    emptyHint: 'Бренди допомагають покупцям знайти товари виробника.',
  },

  categories: { title: 'Категорії' },

  promocodes: { title: 'Промокоди' },

  contests: { title: 'Конкурси' },

  campaigns: { title: 'Розсилки' },

  monetization: { title: 'Бонуси й кешбек' },

  checkout: { title: 'Оформлення' },

  paymentProviders: { title: 'Способи оплати' },

  invoiceFields: { title: 'Поля рахунку' },

  payments: { title: 'Платежі' },

  bot: { title: 'Бот' },

  settings: { title: 'Налаштування' },

  tokens: {
    title: 'API-токени',
    hint: 'Ключі, з якими програми й агенти звертаються до цього магазину. Кожен показано один раз, під час створення.',
    create: 'Створити токен',
    made: (name) => `Токен ${name}`,
    name: 'Назва',
    nameHint: 'Що ним користується: цю назву видно в журналі змін.',
    scope: 'Дозволено',
    scopes: { read: 'Лише перегляд', write: 'Перегляд і зміни', admin: 'Також видалення' },
    scopeHints: {
      read: 'Бачить замовлення, товари, покупців і показники. Нічого не змінює.',
      write: 'Також створює і змінює: замовлення, каталог, акції, розсилки, налаштування, оплату.',
      admin: 'Також назавжди видаляє замовлення, товари та інші записи.',
    },
    expiry: 'Діє',
    days: (count) => n(count, { one: '# день', few: '# дні', other: '# днів' }),
    noExpiry: 'Доки його не відкличуть',
    state: 'Стан',
    works: 'Діє',
    expired: 'Минув строк',
    revoked: 'Відкликано',
    expires: 'Діє до',
    lastUsed: 'Востаннє вжито',
    revoke: 'Відкликати',
    revokeHint: 'Тому, хто користується цим токеном, буде відмовлено з наступного ж запиту. Це не можна скасувати.',
    empty: 'Токенів ще немає',
    emptyHint: 'Токен потрібен програмі, яка працює з цим магазином: обліковій системі, скрипту, агентові.',
  },

  webhooks: { title: 'Вебхуки замовлень' },

  connections: { title: 'Підключені застосунки' },

  agents: { title: 'Підключити агента' },

  audit: { title: 'Журнал змін' },

  billing: { title: 'Тариф' },

  members: { title: 'Учасники' },

  security: { title: 'Безпека' },
};

export default uk;
