import type { StoreWords } from './store-words.js';

export const uk: StoreWords = {
  messages: {
    welcome: {
      text: 'Вітаємо! Натисніть кнопку нижче, щоб відкрити магазин.',
      buttonText: 'Відкрити магазин',
    },
    placed: { text: 'Дякуємо! Ми отримали ваше замовлення №{orderId}.', buttonText: 'Відкрити замовлення' },
    paid: {
      text: 'Замовлення №{orderId} оплачено. Ми вже готуємо його.',
      buttonText: 'Відкрити замовлення',
    },
    shipped: { text: 'Гарна новина: замовлення №{orderId} відправлено.', buttonText: 'Відстежити' },
    delivered: {
      text: 'Замовлення №{orderId} доставлено. Приємних вражень!',
      buttonText: 'Відкрити замовлення',
    },
    cancelled: { text: 'Замовлення №{orderId} скасовано.', buttonText: 'Відкрити замовлення' },
  },
  openOrder: 'Відкрити замовлення',
  openShop: 'Магазин',
  carrier: (name) => `Перевізник: ${name}`,
  trackingNumber: (number) => `Номер для відстеження: ${number}`,
  order: (id) => `Замовлення ${id}`,
  surcharge: 'Доплата',
  discount: 'Знижка',
  promocode: (code) => `Промокод ${code}`,
  bonus: 'Бонуси',
  tip: 'Чайові',
  refusals: {
    unknown_order: 'Цього замовлення вже немає.',
    other_shopper: 'Це замовлення іншої людини.',
    other_currency: 'Валюта цього рахунку інша, ніж у замовлення.',
    other_amount: 'Ціна цього замовлення змінилася. Відкрийте його ще раз.',
    not_pending: 'Це замовлення вже оплачено або скасовано.',
    banned: 'Ви не можете замовляти в цьому магазині.',
  },
};
