import { plurals } from '../plural';
import type { catalog as English } from '../en/catalog';

const n = plurals('uk');
const PRODUCTS = { one: '# товар', few: '# товари', other: '# товарів' };

export const catalog: typeof English = {
  products: {
    saleState: { on: 'У продажу', off: 'Не у продажу' },
    title: 'Товари',
    create: 'Додати товар',
    createHint: 'Потрібне лише те, що із зірочкою; решту можна додати потім.',
    variants: 'Варіанти',
    variantsHint: 'Розміри, кольори тощо. Варіант без ціни має ціну товару.',
    option: 'Властивість',
    optionExample: 'Розмір',
    valuesOf: (name) => `Значення: ${name}`,
    valuesExample: 'S, M, L',
    addOption: 'Додати властивість',
    tooMany: (most) => `Це більше ніж ${most} варіантів. Приберіть частину значень.`,
    find: 'Назва, код, мітка',
    empty: 'Товарів ще немає',
    emptyHint: 'Додайте перший товар: покупці побачать його одразу.',
    category: 'Категорія',
    brand: 'Бренд',
    show: 'Показати лише',
    hidden: 'Приховано',
    visible: 'Видимий',
    hide: 'Приховати',
    unhide: 'Показати покупцям',
    low: 'Закінчується',
    state: 'Стан',
    duplicate: 'Дублювати',
    externalId: 'Код у ваших системах',
    externalIdHint: 'Він ніколи не змінюється: за ним товар знають партнери.',
    price: 'Ціна',
    images: 'Зображення',
    addImage: 'Додати зображення',
    stock: 'Залишок',
    stockAndVariants: 'Залишки й варіанти',
    stockHint: 'Порожньо: не рахується.',
    stockOf: (name) => `Залишок: ${name}`,
    stockMode: 'Як змінити',
    stockBy: 'Додати чи відняти',
    stockTo: 'Установити',
    stockSaved: (name) => `Залишок змінено: ${name}`,
    variant: 'Варіант',
    addVariant: 'Додати варіант',
    addVariants: 'Додати кілька варіантів',
    addCount: (count) =>
      n(count, { one: 'Додати # варіант', few: 'Додати # варіанти', other: 'Додати # варіантів' }),
    variantsAdded: (count) =>
      n(count, { one: '# варіант додано', few: '# варіанти додано', other: '# варіантів додано' }),
    variantsStay:
      'Значення властивостей, як-от розмір і колір. Що в товару вже є, лишається як є; новий варіант без ' +
      'ціни має ціну товару.',
    codes: 'Коди',
    setCodes: 'Задати коди',
    sku: 'Артикул',
    barcode: 'Штрихкод',
    prices: 'Ціни й залишки',
    pricesHint: 'Вводьте або вставляйте клітинки з таблиці. Enter переходить на наступний рядок.',
    product: 'Товар',
    salePrice: 'Ціна зі знижкою',
    changes: (count) => n(count, { one: '# зміна', few: '# зміни', other: '# змін' }),
    review: 'Переглянути зміни',
    reviewTitle: 'Що зміниться',
    saveChanges: (count) =>
      n(count, { one: 'Зберегти # зміну', few: 'Зберегти # зміни', other: 'Зберегти # змін' }),
    pricesSaved: (count) =>
      n(count, {
        one: 'Збережено ціни # рядка',
        other: 'Збережено ціни # рядків',
      }),
    stocksSaved: (count) =>
      n(count, {
        one: 'Збережено залишок # рядка',
        other: 'Збережено залишки # рядків',
      }),
    notSaved: (count) =>
      n(count, {
        one: '# рядок не збережено. У ньому сказано чому.',
        few: '# рядки не збережено. У них сказано чому.',
        other: '# рядків не збережено. У них сказано чому.',
      }),
    noPlace: (count) =>
      n(count, {
        one: 'Для # вставленого рядка немає місця.',
        other: 'Для # вставлених рядків немає місця.',
      }),
    byPercent: 'Змінити на відсоток',
    percent: 'Відсоток, наприклад -10 або 5',
    percentOf: 'Що встановити',
    saleFromPrice: 'Ціна зі знижкою рахується від ціни, яка не змінюється.',
    rounding: 'Округлити до',
    roundingLess: (step, less) => `${step} мінус ${less}`,
    applyPercent: (count) =>
      n(count, { one: 'Змінити # ціну', few: 'Змінити # ціни', other: 'Змінити # цін' }),
    editSeveral: (count) =>
      n(count, { one: 'Змінити # товар', few: 'Змінити # товари', other: 'Змінити # товарів' }),
    changeCount: (count) =>
      n(count, { one: 'Змінити # товар', few: 'Змінити # товари', other: 'Змінити # товарів' }),
    changed: (count) =>
      n(count, { one: '# товар змінено', few: '# товари змінено', other: '# товарів змінено' }),
    leave: 'Лишити як є',
    variantsCount: (count) => n(count, { one: '# варіант', few: '# варіанти', other: '# варіантів' }),
  },

  imports: {
    link: 'Імпорт CSV',
    title: 'Імпорт товарів',
    hint: 'Файл, як у експорту. Спершу ви побачите, що зміниться; чого немає серед стовпців, те лишається.',
    choose: 'Вибрати файл',
    nothing: 'Нічого не зміниться.',
    isNew: 'новий',
    line: (line) => `Рядок ${line}`,
    submit: (count) =>
      n(count, {
        one: 'Імпортувати # рядок',
        few: 'Імпортувати # рядки',
        other: 'Імпортувати # рядків',
      }),
    done: (count) =>
      n(count, {
        one: '# рядок імпортовано.',
        few: '# рядки імпортовано.',
        other: '# рядків імпортовано.',
      }),
    newStay: 'Нові товари лишилися. Видаліть ті, що не потрібні.',
    leftOut: (count) =>
      n(count, { one: '# рядок пропущено', few: '# рядки пропущено', other: '# рядків пропущено' }),
    encoding: 'Файл не в UTF-8. Збережіть його як «CSV UTF-8».',
    columns: (names) => `Перший рядок має називати стовпці експорту: ${names}.`,
    quotes: 'Лапки не закрито.',
    twice: 'Такий рядок уже є.',
    unknown: 'Товару з таким кодом немає, а для нового бракує назви.',
    noProduct: (id) => `Нові варіанти імпортуються лише разом з новим товаром, не для ${id}.`,
    noPicture: 'Новому товару потрібна адреса зображення у стовпці images.',
    variant: 'Варіант пишеться як опція та значення, наприклад Розмір: M.',
    noSuch: (name) => `Немає жодного з назвою ${name}.`,
    several: (name) => `${name} є в кількох.`,
    flag: 'true або false.',
    stockStays: 'itemAmount: залишок варіанта не може бути порожнім.',
    shortened: (code) => `Таблиця скоротила цей код до ${code}.`,
    currency: (code) => `Ці суми в ${code}, а валюта магазину інша.`,
  },

  warnings: {
    notSaved: 'Ще нічого не збережено',
    allTheSame: 'Усе одно зберегти',
    saleNotBelow: (sale, price) =>
      `Ціна зі знижкою ${sale} не нижча за ціну ${price}: покупці платять ${sale}.`,
    jump: (before, after) => `Покупці платили ${before}, а тепер платитимуть ${after}. Так і треба?`,
    free: 'Покупці отримають це безплатно. Так і треба?',
    options: (count) => `Покупці обирають одне значення з усіх ${count} опцій разом.`,
    unseen: (category, above) =>
      above === undefined
        ? `Покупці цього не бачать: категорія ${category} не активна.`
        : `Покупці цього не бачать: ${category} нижче від ${above}, а та не активна.`,
    offSale: (count) => `Покупці більше не бачитимуть: ${n(count, PRODUCTS)}.`,
    onSale: (count) => `Покупці знову бачитимуть: ${n(count, PRODUCTS)}.`,
    textAlone: (text) => `«${text}» — лише текст. Щоб покласти товар туди, оберіть зі списку.`,
    stillSays: (text, shown) => `У тексті досі «${text}», а покупці бачать «${shown}».`,
    noEffect: (fields) => `Покупці купують варіанти, тож для них це нічого не змінює: ${fields}.`,
    cleared: (fields) => `Спорожнено: ${fields}.`,
    noButton: 'Кнопці потрібні текст і адреса. Це повідомлення піде без неї.',
  },

  brands: {
    title: 'Бренди',
    create: 'Створити бренд',
    empty: 'Брендів ще немає',
    emptyHint: 'Бренди допомагають покупцям знайти товари виробника.',
  },

  categories: {
    title: 'Категорії',
    create: 'Створити категорію',
    createBelow: 'Створити всередині',
    parent: 'Усередині',
    inactive: 'Не діє',
    empty: 'Категорій ще немає',
    emptyHint: 'Категорії — це полиці магазину; одна може стояти всередині іншої.',
  },
};
