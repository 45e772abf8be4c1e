import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useParam } from '../../address';
import { mayRun } from '../../api/access';
import type { Output } from '../../api/client';
import { useChange } from '../../api/change';
import { useRead } from '../../api/queries';
import { useStore } from '../../api/store';
import { Failure } from '../../parts/failure';
import { GoToButton } from '../../parts/go-to';
import { later } from '../../parts/lazy-component';
import { Soon } from '../../parts/deferred';
import { LoadingBlock, PageHead, Section } from '../../parts/states';
import { Pictured } from '../../parts/values/pictures';
import { Badge } from '../../parts/values/values';
import { words } from '../../words/all';
import { ProductCodes } from './codes';
import { SaleEnd } from './sheet/sale-end';
import { Stock } from './stock';
import { Variants } from './variants';

const DeleteDialog = later(() => import('./dialogs').then((file) => file.DeleteDialog));
/** Its schema comes with its code. */
const ProductForm = later(
  async () => {
    const [file] = await Promise.all([import('./product-form'), import('../../api/generated/forms.json')]);
    return file.ProductForm;
  },
  () => <LoadingBlock />,
);

export default function ProductPage() {
  const id = useParam('productId');
  const { data, error, refetch } = useRead('get_product', { id });
  const failure = error && <Failure error={error} retry={() => void refetch()} />;
  if (!data) return failure ?? <LoadingBlock />;
  const { title, productId, isHidden, itemAmount, variants, images, onSale, salePrice, saleUntil } = data;
  return (
    <Stack maw={960}>
      {failure}
      <PageHead
        tab={title}
        title={<Pictured url={images[0]}>{title}</Pictured>}
        hint={
          <>
            <Badge tone={onSale ? 'green' : 'grey'}>
              {onSale ? words.products.saleState.on : words.products.saleState.off}
            </Badge>{' '}
            {productId}
          </>
        }
      >
        {onSale && <OpenInShop id={id} />}
        <HideButton id={id} isHidden={isHidden} />
        <GoToButton variant="default" to={`products/new?from=${id}`}>
          {words.products.duplicate}
        </GoToButton>
        <DeleteButton product={data} />
      </PageHead>
      <Soon fallback={<LoadingBlock />}>
        <Section title={words.common.details}>
          <ProductForm key={id} product={data} />
        </Section>
        {salePrice !== null && (
          <Section title={words.products.sale}>
            <SaleEnd key={id} productId={data.id} saleUntil={saleUntil} />
          </Section>
        )}
        <Section title={words.products.stockAndVariants}>
          {variants.length === 0 && (
            <Group fz="sm">
              {words.products.stock}: <Stock productId={id} name={title} amount={itemAmount} />
            </Group>
          )}
          <Variants product={data} />
        </Section>
        <details className="surface technical">
          <summary className="summary">{words.products.codes}</summary>
          <ProductCodes key={id} id={data.id} updatedAt={data.updatedAt} />
        </details>
      </Soon>
    </Stack>
  );
}

function DeleteButton({ product }: { product: Output<'get_product'> }) {
  const { role } = useStore();
  const [isAsked, setAsked] = useState(false);
  if (!mayRun(role, 'delete_product')) return null;
  return (
    <>
      <Button variant="default" c="var(--red)" onClick={() => setAsked(true)}>
        {words.common.delete}
      </Button>
      {isAsked && <DeleteDialog product={product} onClose={() => setAsked(false)} />}
    </>
  );
}

/** Opens the product as shoppers see it. */
function OpenInShop({ id }: { id: string }) {
  const { data } = useRead('GET stores/{storeId}/shop', { productId: id });
  const address = data?.page ?? data?.link;
  if (!address) return null;
  return (
    <Button variant="default" component="a" href={address} target="_blank" rel="noreferrer">
      {words.viewShop.openProduct}
    </Button>
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
