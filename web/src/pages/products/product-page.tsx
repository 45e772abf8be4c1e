import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useGo, useParam } from '../../address';
import { mayRun } from '../../api/access';
import { ask, type Output } from '../../api/client';
import { useChange } from '../../api/change';
import { useRead } from '../../api/queries';
import { useStore } from '../../api/store';
import { Failure } from '../../parts/failure';
import { ConfirmDialog } from '../../parts/dialogs';
import { GoToButton } from '../../parts/go-to';
import { SchemaForm } from '../../parts/forms/schema-form';
import { LoadingBlock, PageHead, Section } from '../../parts/states';
import { words } from '../../words';
import { ProductCodes } from './codes';
import { productHints } from './product-fields';
import { Stock } from './stock';
import { Variants } from './variants';

export default function ProductPage() {
  const id = useParam('productId');
  const { id: storeId } = useStore();
  const { data, error, refetch } = useRead('get_product', { id });
  const failure = error && <Failure error={error} retry={() => void refetch()} />;
  if (!data) return failure ?? <LoadingBlock />;
  const { title, productId, isHidden, itemAmount, variants } = data;
  return (
    <Stack maw={960}>
      {failure}
      <PageHead title={title} hint={productId}>
        <HideButton id={id} isHidden={isHidden} />
        <GoToButton variant="default" to={`products/new?from=${id}`}>
          {words.products.duplicate}
        </GoToButton>
        <DeleteButton {...data} />
      </PageHead>
      <Section title={words.products.stockAndVariants}>
        {variants.length === 0 && (
          <Group fz="sm">
            {words.products.stock}: <Stock productId={id} name={title} amount={itemAmount} />
          </Group>
        )}
        <Variants product={data} />
      </Section>
      <Section title={words.products.codes}>
        <ProductCodes key={id} id={data.id} updatedAt={data.updatedAt} />
      </Section>
      <Section title={words.common.details}>
        <SchemaForm
          key={id}
          operation="update_product"
          fixed={{ id }}
          record={data}
          reread={() => ask(storeId, 'get_product', { id })}
          hints={{ ...productHints(), isHidden: { hidden: true }, itemAmount: { hidden: true } }}
          done={words.common.saved}
        />
      </Section>
    </Stack>
  );
}

function DeleteButton({ id, title, productId }: Output<'get_product'>) {
  const { role } = useStore();
  const go = useGo();
  const [isAsked, setAsked] = useState(false);
  if (!mayRun(role, 'delete_product')) return null;
  return (
    <>
      <Button variant="default" c="var(--red)" onClick={() => setAsked(true)}>
        {words.common.delete}
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={`${words.common.delete}: ${title}`}
          type={productId}
          submitLabel={words.common.delete}
          change="delete_product"
          input={{ id, confirm: true }}
          done={words.common.deleted}
          onDone={() => go('products', { ignoreBlocker: true })}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}

function HideButton({ id, isHidden }: { id: string; isHidden: boolean }) {
  const { make } = useChange('update_product', {
    done: isHidden ? words.products.visible : words.products.hidden,
  });
  return (
    <Button variant="default" onClick={() => void make({ id, isHidden: !isHidden })}>
      {isHidden ? words.products.unhide : words.products.hide}
    </Button>
  );
}
