import { plurals } from '../plural';
import type { catalog as English } from '../en/catalog';

const n = plurals('uk');

export const catalog: typeof English = {
  products: {
    title: 'Товари',
    create: 'Додати товар',
    createHint: 'Варіанти, як-от розміри, додаються потім.',
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
    variantsCount: (count) => n(count, { one: '# варіант', few: '# варіанти', other: '# варіантів' }),
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
