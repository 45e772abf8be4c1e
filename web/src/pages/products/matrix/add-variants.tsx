import { Alert } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../../api/change';
import { ask, type Output } from '../../../api/client';
import { itemInWords } from '../../../api/in-words';
import { useStore } from '../../../api/store';
import { Dialog } from '../../../parts/dialog';
import { Form } from '../../../parts/forms/form';
import { notifyFailed } from '../../../notices';
import { words } from '../../../words';
import { addedTo, type Matrix, matrixOf, variantsOf } from './matrix';
import { MatrixEditor } from './matrix-editor';

type Product = Output<'get_product'>;

interface Props {
  product: Product;
  onClose: () => void;
}

/** Adds the combinations of options to a stored product, in one call. Its variants stay as they are. */
export function AddVariants({ product, onClose }: Props) {
  const { id: storeId } = useStore();
  const { id, variants, price, salePrice } = product;
  const [matrices, setMatrices] = useState<Matrix[]>(() => variants.map(matrixOf));
  const [refusal, setRefusal] = useState<string | null>(null);
  const added = addedTo(variants, variantsOf(matrices, { price, salePrice }) ?? []);
  const count = added.reduce((sum, { values }) => sum + values.length, 0);
  const create = useChange('create_products', {
    refusals: 'form',
    done: ({ failed }) => (failed === 0 ? words.products.variantsAdded(count) : undefined),
  });
  const submit = async () => {
    try {
      // What the call must name of the product is what it has now.
      const now = await ask(storeId, 'get_product', { id });
      const { productId, title, description, images } = now;
      const item = { productId, title, description, images, price: now.price, variants: added };
      const answer = await create.make({ items: [item], upsert: true });
      const error = answer?.items[0].error;
      setRefusal(error ? itemInWords(error) : null);
      if (answer && !error) onClose();
    } catch (error) {
      notifyFailed(error as Error);
    }
  };
  return (
    <Dialog title={words.products.addVariants} size="xl" onClose={onClose}>
      <Form
        values={{ matrices }}
        change={create}
        submit={{ label: words.products.addCount(count), disabled: count === 0 }}
        onSubmit={() => void submit()}
        onCancel={onClose}
      >
        {refusal !== null && (
          <Alert color="red" role="alert" tabIndex={-1}>
            {refusal}
          </Alert>
        )}
        <MatrixEditor
          label={words.products.variants}
          description={words.products.variantsStay}
          stored={variants}
          value={matrices}
          onChange={setMatrices}
        />
      </Form>
    </Dialog>
  );
}
