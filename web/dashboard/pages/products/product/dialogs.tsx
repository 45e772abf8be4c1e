import { useGo } from '../../../address';
import type { Output } from '../../../api/client';
import { useRow } from '../../../api/queries';
import { Dialog } from '../../../parts/dialog';
import { ConfirmDialog } from '../../../parts/dialogs';
import { Failure } from '../../../parts/failure';
import { SchemaForm } from '../../../parts/forms/schema-form';
import { RemoveDialog } from '../../../parts/lists/resource';
import { LoadingBlock } from '../../../parts/states';
import { words } from '../../../words/all';
import { productHints } from '../product-fields';
import { SaleEnd } from '../sheet/sale-end';

type Product = Output<'get_product'>;
/** A variant, with the option of its group. */
export type Value = Product['variants'][number]['values'][number] & { optionTitle: string };

interface OfVariant {
  value: Value;
  onClose: () => void;
}

interface OfProductVariant extends OfVariant {
  productId: string;
}

interface OfProduct {
  product: Product;
  onClose: () => void;
}

export function DeleteDialog({ product: { id, title, productId }, onClose }: OfProduct) {
  const go = useGo();
  return (
    <ConfirmDialog
      title={`${words.common.delete}: ${title}`}
      type={productId}
      submitLabel={words.common.delete}
      change="delete_product"
      input={{ id, confirm: true }}
      done={words.common.deleted}
      onDone={() => go('products', { ignoreBlocker: true })}
      onClose={onClose}
    />
  );
}

interface AddProps {
  productId: string;
  /** The options that the product has. */
  options: string[];
  onClose: () => void;
}

export const AddVariantDialog = ({ productId, options: [option], onClose }: AddProps) => (
  <Dialog side title={words.products.addVariant} onClose={onClose}>
    <SchemaForm
      operation="create_variant"
      fixed={{ productId }}
      initial={{ optionTitle: option }}
      hints={{
        ...variantHints(),
        ...(option && { optionTitle: { hint: words.products.oneOption(option) } }),
      }}
      done={words.common.saved}
      onDone={onClose}
    />
  </Dialog>
);

export function EditVariantDialog({ value: { id, variantValue }, productId, onClose }: OfProductVariant) {
  // With the variant's version, which get_product leaves out.
  const { data, error, refetch } = useRow('list_variants', { productId }, id);
  // A deleted record answers not_found, not a conflict.
  const reread = async () => (await refetch({ throwOnError: true })).data!;
  return (
    <Dialog side title={variantValue} onClose={onClose}>
      {error && !data && <Failure error={error} retry={() => void refetch()} />}
      {!error && !data && <LoadingBlock />}
      {data && (
        <SchemaForm
          operation="update_variant"
          fixed={{ id }}
          record={data}
          reread={reread}
          hints={variantHints()}
          done={words.common.saved}
          onDone={onClose}
        />
      )}
      {data && data.salePrice !== null && (
        <SaleEnd productId={productId} variantId={id} saleUntil={data.saleUntil} />
      )}
    </Dialog>
  );
}

export const RemoveVariantDialog = ({ value: { id, variantValue }, onClose }: OfVariant) => (
  <RemoveDialog operation="delete_variant" id={id} name={variantValue} onClose={onClose} />
);

function variantHints() {
  const { price, salePrice } = productHints();
  return { price, salePrice, itemAmount: { hint: words.products.stockHint } };
}
