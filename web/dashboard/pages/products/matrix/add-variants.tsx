import { Alert } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../../api/change';
import type { Output } from '../../../api/client';
import { itemInWords } from '../../../api/telling/in-words';
import { Dialog } from '../../../parts/dialog';
import { Form } from '../../../parts/forms/form';
import { words } from '../../../words/all';
import { addedTo, type Matrix, matrixOf, type Stored, variantsOf } from './matrix';
import { MatrixEditor } from './matrix-editor';

type Product = Output<'get_product'>;

/** What is in stock is that of the stored variants, and not of those that are made of them. */
const unstocked = ({ optionTitle, values }: Stored): Stored => ({
  optionTitle,
  values: values.map((value) => ({ ...value, itemAmount: null })),
});

interface Props {
  product: Product;
  onClose: () => void;
}

/** Adds the combinations of options to a stored product, in one call. Its variants stay as they are. */
export function AddVariants({ product, onClose }: Props) {
  const { productId, variants, price, salePrice } = product;
  const [matrices, setMatrices] = useState<Matrix[]>(() => variants.map(unstocked).map(matrixOf));
  const [refusal, setRefusal] = useState<string | null>(null);
  const added = addedTo(variants, variantsOf(matrices, { price, salePrice }) ?? []);
  const count = added.reduce((sum, { values }) => sum + values.length, 0);
  const create = useChange('create_products', {
    refusals: 'form',
    done: ({ failed }) => (failed === 0 ? words.products.variantsAdded(count) : undefined),
  });
  const submit = async () => {
    const answer = await create.make({ items: [{ productId, variants: added }], upsert: true });
    const error = answer?.items[0].error;
    setRefusal(error ? itemInWords(error) : null);
    if (answer && !error) onClose();
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
