import { Button, Group, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { target, useGo, useParam } from '../../address';
import { mayRun } from '../../api/access';
import { ask } from '../../api/client';
import { useChange } from '../../api/change';
import { useRead } from '../../api/queries';
import { useStore } from '../../api/store';
import { Failure } from '../../parts/failure';
import { ConfirmDialog } from '../../parts/dialogs';
import { SchemaForm } from '../../parts/forms/schema-form';
import { LoadingBlock, PageHead, Section } from '../../parts/states';
import { words } from '../../words';
import { productHints } from './product-fields';
import { Stock } from './stock';
import { Variants } from './variants';

export default function ProductPage() {
  const id = useParam('productId');
  const { id: storeId, role } = useStore();
  const go = useGo();
  const product = useRead('get_product', { id });
  const [isRemoving, setRemoving] = useState(false);
  if (product.error) return <Failure error={product.error} retry={() => void product.refetch()} />;
  if (!product.data) return <LoadingBlock />;
  const { title, productId, isHidden, itemAmount, variants, updatedAt } = product.data;
  return (
    <Stack maw={960}>
      <PageHead title={title} hint={productId}>
        <HideButton id={id} isHidden={isHidden} />
        <Button
          variant="default"
          renderRoot={(props) => <Link {...target(storeId, `products/new?from=${id}`)} {...props} />}
        >
          {words.products.duplicate}
        </Button>
        {mayRun(role, 'delete_product') && (
          <Button variant="default" c="var(--red)" onClick={() => setRemoving(true)}>
            {words.common.delete}
          </Button>
        )}
      </PageHead>
      <Section title={words.products.stockAndVariants}>
        {variants.length === 0 && (
          <Group>
            {words.products.stock}: <Stock productId={id} name={title} amount={itemAmount} />
          </Group>
        )}
        <Variants product={product.data} />
      </Section>
      <Section title={words.common.details}>
        <SchemaForm
          key={updatedAt}
          operation="update_product"
          fixed={{ id }}
          record={product.data}
          reread={() => ask(storeId, 'get_product', { id })}
          hints={{ ...productHints(), isHidden: { hidden: true }, itemAmount: { hidden: true } }}
          done={words.common.saved}
        />
      </Section>
      {isRemoving && (
        <ConfirmDialog
          title={`${words.common.delete}: ${title}`}
          type={productId}
          submitLabel={words.common.delete}
          change="delete_product"
          input={{ id, confirm: true }}
          done={words.common.deleted}
          onDone={() => go('products')}
          onClose={() => setRemoving(false)}
        />
      )}
    </Stack>
  );
}

function HideButton({ id, isHidden }: { id: string; isHidden: boolean }) {
  const { make } = useChange('update_product', {
    done: isHidden ? words.products.visible : words.products.hidden,
    undo: () => ({ id, isHidden }),
  });
  return (
    <Button variant="default" onClick={() => void make({ id, isHidden: !isHidden })}>
      {isHidden ? words.products.unhide : words.products.hide}
    </Button>
  );
}
