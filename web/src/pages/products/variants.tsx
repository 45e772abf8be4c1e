import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { mayRun } from '../../api/access';
import type { Output } from '../../api/client';
import { useStore } from '../../api/store';
import { ConfirmDialog } from '../../parts/dialogs';
import { PlusIcon } from '../../parts/icons';
import { FormDrawer, RowMenu } from '../../parts/lists/resource';
import { SchemaForm } from '../../parts/forms/schema-form';
import { words } from '../../words';
import { productHints } from './product-fields';
import { Price } from './products-page';
import { Stock } from './stock';

type Product = Output<'get_product'>;
type Value = Product['variants'][number]['values'][number] & { optionTitle: string };

/** The variants of a product by group, with price and stock editable in place. */
export function Variants({ product }: { product: Product }) {
  const { role } = useStore();
  const [editing, setEditing] = useState<Value | 'new' | null>(null);
  const [removing, setRemoving] = useState<Value | null>(null);
  const { price, salePrice } = productHints();
  const close = () => setEditing(null);
  const hints = { price, salePrice, itemAmount: { hint: words.products.stockHint } };
  return (
    <Stack>
      {product.variants.map(({ optionTitle, values }) => (
        <table key={optionTitle} className="table">
          <caption>
            <Text component="span" fw={600}>
              {optionTitle}
            </Text>
          </caption>
          <thead>
            <tr>
              <th>{words.products.variant}</th>
              <th className="end">{words.products.price}</th>
              <th className="end">{words.products.stock}</th>
              <th>
                <span className="skip">{words.common.actions}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {values.map((value) => (
              <tr key={value.id}>
                <td>{value.variantValue}</td>
                <td className="end">
                  <Price price={value.price} salePrice={value.salePrice} />
                </td>
                <td className="end">
                  <Stock
                    productId={product.id}
                    variantId={value.id}
                    name={value.variantValue}
                    amount={value.itemAmount}
                  />
                </td>
                <td className="end">
                  <RowMenu
                    name={value.variantValue}
                    onEdit={() => setEditing({ ...value, optionTitle })}
                    onRemove={
                      mayRun(role, 'delete_variant')
                        ? () => setRemoving({ ...value, optionTitle })
                        : undefined
                    }
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
      <div>
        <Button variant="default" leftSection={<PlusIcon />} onClick={() => setEditing('new')}>
          {words.products.addVariant}
        </Button>
      </div>
      {editing === 'new' && (
        <FormDrawer title={words.products.addVariant} onClose={close}>
          <SchemaForm
            operation="create_variant"
            fixed={{ productId: product.id }}
            hints={hints}
            done={words.common.saved}
            onDone={close}
          />
        </FormDrawer>
      )}
      {editing && editing !== 'new' && (
        <FormDrawer title={editing.variantValue} onClose={close}>
          <SchemaForm
            operation="update_variant"
            fixed={{ id: editing.id }}
            record={editing}
            hints={hints}
            done={words.common.saved}
            onDone={close}
          />
        </FormDrawer>
      )}
      {removing && (
        <ConfirmDialog
          title={`${words.common.delete}: ${removing.variantValue}`}
          type={removing.variantValue}
          submitLabel={words.common.delete}
          change="delete_variant"
          input={{ id: removing.id, confirm: true }}
          done={words.common.deleted}
          onClose={() => setRemoving(null)}
        />
      )}
    </Stack>
  );
}
