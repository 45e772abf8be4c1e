import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { useParam } from '../../../address';
import { mayRun } from '../../../api/access';
import type { Output } from '../../../api/client';
import { useChange } from '../../../api/change';
import { useRead } from '../../../api/queries';
import { useStore } from '../../../api/store';
import { Failure } from '../../../parts/failure';
import { loadForms } from '../../../parts/forms/forms';
import { GoToButton } from '../../../parts/go-to';
import { later } from '../../../parts/lazy-component';
import { Soon } from '../../../parts/deferred';
import { LoadingBlock, PageHead, Section } from '../../../parts/states';
import { PicturesOnly } from '../../../parts/inputs/tiles';
import { Pictured } from '../../../parts/values/pictures';
import { Badge } from '../../../parts/values/values';
import { words } from '../../../words/all';
import { Price } from '../price';

const DeleteDialog = later(() => import('./dialogs').then((file) => file.DeleteDialog));
/** All of it comes at once, its schema too: nothing moves what stands below it. */
const ProductDetails = later(
  async () => {
    const [file] = await Promise.all([import('./product-details'), loadForms()]);
    return file.ProductDetails;
  },
  (props) => <Outline {...props} />,
);

/** The pictures come first, in their place: they are what a person knows a product by. */
const Outline = ({ product }: { product: Output<'get_product'> }) => (
  <Section title={words.common.details}>
    <PicturesOnly title={words.products.images} urls={product.images} />
    <LoadingBlock />
  </Section>
);

export default function ProductPage() {
  const id = useParam('productId');
  const { data, error, refetch } = useRead('get_product', { id });
  const failure = error && <Failure error={error} retry={() => void refetch()} />;
  if (!data) return failure ?? <LoadingBlock />;
  const { title, productId, isHidden, images, onSale, price, salePrice } = data;
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
            <Price price={price} salePrice={salePrice} /> · {productId}
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
      <Soon fallback={<Outline product={data} />}>
        <ProductDetails key={id} product={data} />
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
  const { data, isPending } = useRead('GET stores/{storeId}/shop', { productId: id });
  const address = data?.page ?? data?.link;
  if (!address && !isPending) return null;
  // It keeps its place until the address is known.
  const leads = address
    ? ({ component: 'a', href: address, target: '_blank', rel: 'noreferrer' } as const)
    : { disabled: true };
  return (
    <Button variant="default" {...leads}>
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
