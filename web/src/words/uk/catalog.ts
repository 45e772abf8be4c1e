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
