export const IMAGE = 'https://images.example/a.png';
export const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Every field that needs no other record. */
export const FULL = {
  title: 'Mug',
  description: 'Stoneware',
  images: [IMAGE],
  price: 12.5,
  salePrice: 9.99,
  itemAmount: 40,
  brand: 'Acme',
  category: 'Kitchen',
  subCategory: 'Mugs',
  tags: 'mug,stoneware',
  shippingTime: '2 days',
  season: 'winter',
};

let last = 0;
/** What create_product cannot do without, with a productId of its own. */
export const leastProduct = (values: object = {}) => ({
  productId: `sku-${++last}`,
  title: 'Mug',
  description: '',
  images: [IMAGE],
  price: 10,
  ...values,
});
