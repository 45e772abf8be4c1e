import { ask, type Output } from '../../../api/client';
import { useStore } from '../../../api/store';
import { SchemaForm } from '../../../parts/forms/schema-form';
import { words } from '../../../words';
import { productHints } from '../product-fields';

/** The details of a product. What has its own place on the page is not among them. */
export function ProductForm({ product }: { product: Output<'get_product'> }) {
  const { id } = product;
  const { id: storeId } = useStore();
  return (
    <SchemaForm
      operation="update_product"
      fixed={{ id }}
      record={product}
      first={['images', 'title', 'description', 'price', 'salePrice', 'categoryId', 'brandId']}
      reread={() => ask(storeId, 'get_product', { id })}
      hints={{ ...productHints(), isHidden: { hidden: true }, itemAmount: { hidden: true } }}
      done={words.common.saved}
    />
  );
}
