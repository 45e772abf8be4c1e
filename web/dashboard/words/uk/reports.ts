import type { reports as English } from '../en/reports';

export const reports: typeof English = {
  reports: {
    group: 'Продажі за',
    groups: {
      day: 'День',
      week: 'Тиждень',
      month: 'Місяць',
      product: 'Товар',
      variant: 'Варіант',
      category: 'Категорія',
      brand: 'Бренд',
      promocode: 'Промокод',
      payment_method: 'Спосіб оплати',
      customer: 'Покупець',
    },
    period: 'Період',
    periods: {
      '7d': '7 днів',
      '30d': '30 днів',
      '90d': '90 днів',
      month: 'Цей місяць',
      lastMonth: 'Минулий місяць',
      year: 'Цей рік',
      chosen: 'Вибрані дні',
    },
    comparison: 'Порівняно з',
    comparisons: {
      none: 'Без порівняння',
      previous_period: 'Попередні дні',
      previous_month: 'Місяць тому',
      previous_year: 'Рік тому',
    },
    columns: {
      orders: 'Усі замовлення',
      quantity: 'Одиниці',
      revenue: 'Виторг',
      discount: 'Знижки',
      bonus: 'Сплачено бонусами',
      tips: 'Чайові',
      refunded: 'Повернено',
    },
    rest: {
      line: 'Доплати, чайові, повернення',
      promocode: 'Без промокоду',
      category: 'Без категорії',
      brand: 'Без бренду',
    },
    beyond: (count) => `Ще ${count}`,
    empty: 'За цей період нічого не замовляли.',
  },
};
