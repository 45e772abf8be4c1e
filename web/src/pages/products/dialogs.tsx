import { useGo } from '../../address';
import type { Output } from '../../api/client';
import { Dialog } from '../../parts/dialog';
import { ConfirmDialog } from '../../parts/dialogs';
import { SchemaForm } from '../../parts/forms/schema-form';
import { RemoveDialog } from '../../parts/lists/resource';
import { words } from '../../words';
import { productHints } from './product-fields';
import type { Value } from './variants';

interface OfVariant {
  value: Value;
  onClose: () => void;
}

interface OfProduct {
  product: Output<'get_product'>;
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

export const AddVariantDialog = ({ productId, onClose }: { productId: string; onClose: () => void }) => (
  <Dialog side title={words.products.addVariant} onClose={onClose}>
    <SchemaForm
      operation="create_variant"
      fixed={{ productId }}
      hints={variantHints()}
      done={words.common.saved}
      onDone={onClose}
    />
  </Dialog>
);

export const EditVariantDialog = ({ value, onClose }: OfVariant) => (
  <Dialog side title={value.variantValue} onClose={onClose}>
    <SchemaForm
      operation="update_variant"
      fixed={{ id: value.id }}
      record={value}
      hints={variantHints()}
      done={words.common.saved}
      onDone={onClose}
    />
  </Dialog>
);

export const RemoveVariantDialog = ({ value: { id, variantValue }, onClose }: OfVariant) => (
  <RemoveDialog operation="delete_variant" id={id} name={variantValue} onClose={onClose} />
);

function variantHints() {
  const { price, salePrice } = productHints();
  return { price, salePrice, itemAmount: { hint: words.products.stockHint } };
}
