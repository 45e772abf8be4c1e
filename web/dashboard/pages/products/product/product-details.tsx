import { Group } from '@mantine/core';
import type { Output } from '../../../api/client';
import { Section } from '../../../parts/states';
import { words } from '../../../words/all';
import { ProductCodes } from './codes';
import { ProductForm } from './product-form';
import { SaleEnd } from '../sheet/sale-end';
import { Stock } from '../stock';
import { Variants } from './variants';

/** What a product is made of, each part with its own form. */
export function ProductDetails({ product }: { product: Output<'get_product'> }) {
  const { id, title, itemAmount, variants, salePrice, saleUntil, updatedAt } = product;
  return (
    <>
      <Section title={words.common.details}>
        <ProductForm product={product} />
      </Section>
      {salePrice !== null && (
        <Section title={words.products.sale}>
          <SaleEnd productId={id} saleUntil={saleUntil} />
        </Section>
      )}
      <Section title={words.products.stockAndVariants}>
        {variants.length === 0 && (
          <Group fz="sm">
            {words.products.stock}: <Stock productId={id} name={title} amount={itemAmount} />
          </Group>
        )}
        <Variants product={product} />
      </Section>
      <details className="surface technical">
        <summary className="summary">{words.products.codes}</summary>
        <ProductCodes id={id} updatedAt={updatedAt} />
      </details>
    </>
  );
}
