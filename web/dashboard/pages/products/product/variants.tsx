import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { mayRun } from '../../../api/access';
import type { Output } from '../../../api/client';
import { useStore } from '../../../api/store';
import { PlusIcon } from '../../../parts/icons';
import { RowMenu } from '../../../parts/menus/row-menu';
import { later } from '../../../parts/lazy-component';
import { words } from '../../../words/all';
import type { Value } from './dialogs';
import { Price } from '../price';
import { Stock } from '../stock';

const dialogs = () => import('./dialogs');
const AddVariantDialog = later(() => dialogs().then((file) => file.AddVariantDialog));
const EditVariantDialog = later(() => dialogs().then((file) => file.EditVariantDialog));
const RemoveVariantDialog = later(() => dialogs().then((file) => file.RemoveVariantDialog));
const AddVariants = later(() => import('../matrix/add-variants').then((file) => file.AddVariants));

type Product = Output<'get_product'>;

/** The variants of a product by group, with price and stock editable in place. */
export function Variants({ product }: { product: Product }) {
  const { id, variants } = product;
  const { role } = useStore();
  const [adding, setAdding] = useState<'one' | 'several' | null>(null);
  const close = () => setAdding(null);
  return (
    <Stack>
      {variants.map((group) => (
        <VariantGroup key={group.optionTitle} productId={id} {...group} />
      ))}
      {variants.length > 1 && <Alert color="yellow">{words.products.severalOptions}</Alert>}
      <Group>
        <Button variant="default" leftSection={<PlusIcon />} onClick={() => setAdding('one')}>
          {words.products.addVariant}
        </Button>
        {mayRun(role, 'create_products') && (
          <Button variant="default" leftSection={<PlusIcon />} onClick={() => setAdding('several')}>
            {words.products.addVariants}
          </Button>
        )}
      </Group>
      {adding === 'several' && <AddVariants product={product} onClose={close} />}
      {adding === 'one' && (
        <AddVariantDialog
          productId={id}
          options={variants.map(({ optionTitle }) => optionTitle)}
          onClose={close}
        />
      )}
    </Stack>
  );
}

const VariantGroup = ({
  productId,
  optionTitle,
  values,
}: Product['variants'][number] & { productId: string }) => (
  <table className="table">
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
            <Price {...value} />
          </td>
          <td className="end">
            <Stock
              productId={productId}
              variantId={value.id}
              name={value.variantValue}
              amount={value.itemAmount}
            />
          </td>
          <td className="end">
            <Actions productId={productId} value={{ ...value, optionTitle }} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

function Actions({ productId, value }: { productId: string; value: Value }) {
  const { role } = useStore();
  const [asked, setAsked] = useState<'edit' | 'remove' | null>(null);
  const close = () => setAsked(null);
  const mayRemove = mayRun(role, 'delete_variant');
  return (
    <>
      <RowMenu
        name={value.variantValue}
        onEdit={() => setAsked('edit')}
        onRemove={mayRemove ? () => setAsked('remove') : undefined}
      />
      {asked === 'edit' && <EditVariantDialog {...{ productId, value }} onClose={close} />}
      {asked === 'remove' && <RemoveVariantDialog value={value} onClose={close} />}
    </>
  );
}
