import { BoxIcon } from '../../parts/icons';
import type { PageGroup } from '../../registry';
import { words } from '../../words';

export default {
  pages: [
    {
      path: 'products',
      title: () => words.pages.products,
      menu: { section: 'catalog', icon: <BoxIcon />, order: 10 },
      key: 'p',
      operations: ['find_products', 'update_stock'],
      load: () => import('./products-page'),
    },
    {
      path: 'products/new',
      title: () => words.creates.product,
      operations: ['create_product'],
      load: () => import('./new-product-page'),
    },
    {
      path: 'products/prices',
      title: () => words.pages.prices,
      scope: 'write',
      operations: ['update_prices', 'update_stocks'],
      load: () => import('./prices-page'),
    },
    {
      path: 'products/import',
      title: () => words.pages.imports,
      scope: 'write',
      operations: ['create_products', 'update_products'],
      load: () => import('./import-page'),
    },
    {
      path: 'products/$productId',
      title: () => words.pages.products,
      operations: [
        'get_product',
        'update_product',
        'update_products',
        'create_products',
        'delete_product',
        'create_variant',
        'update_variant',
        'delete_variant',
      ],
      load: () => import('./product/product-page'),
    },
  ],
  actions: [{ title: () => words.creates.product, to: 'products/new' }],
} satisfies PageGroup;
