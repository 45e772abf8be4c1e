import type { StoreWords } from './store-words.js';

export const en: StoreWords = {
  messages: {
    welcome: { text: 'Welcome! Tap the button below to open the shop.', buttonText: 'Open shop' },
    placed: { text: 'Thank you! We have your order #{orderId}.', buttonText: 'Open the order' },
    paid: { text: 'Your order #{orderId} is paid. We are preparing it.', buttonText: 'Open the order' },
    shipped: {
      text: 'Good news: your order #{orderId} has been shipped.',
      buttonText: 'Track Order',
    },
    delivered: { text: 'Your order #{orderId} has been delivered. Enjoy!', buttonText: 'Open the order' },
    cancelled: { text: 'Your order #{orderId} was cancelled.', buttonText: 'Open the order' },
  },
  openOrder: 'Open the order',
  openShop: 'Shop',
  carrier: (name) => `Carrier: ${name}`,
  trackingNumber: (number) => `Tracking number: ${number}`,
  order: (id) => `Order ${id}`,
  surcharge: 'Surcharge',
  discount: 'Discount',
  promocode: (code) => `Promocode ${code}`,
  bonus: 'Bonus',
  tip: 'Tip',
  refusals: {
    unknown_order: 'This order does not exist any more.',
    other_shopper: 'This order belongs to somebody else.',
    other_currency: 'The currency of this invoice is not that of the order.',
    other_amount: 'The price of this order has changed. Please open it again.',
    not_pending: 'This order is paid already, or was cancelled.',
    banned: 'You cannot order in this shop.',
  },
};
