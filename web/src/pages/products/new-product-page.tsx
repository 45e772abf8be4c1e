import { Stack } from '@mantine/core';
import { useGo, useSearch } from '../../address';
import { useRead } from '../../api/queries';
import { SchemaForm } from '../../parts/forms/schema-form';
import { LoadingBlock, PageHead, Section } from '../../parts/states';
import { words } from '../../words';
import { productHints } from './product-fields';

/** A new product, either empty or a copy of another one (`?from=`). */
export default function NewProductPage() {
  const [{ from }] = useSearch();
  const go = useGo();
  const source = useRead('get_product', { id: from }, { enabled: from !== undefined });
  if (from && source.isPending) return <LoadingBlock />;
  return (
    <Stack maw={720}>
      <PageHead title={words.products.create} hint={words.products.createHint} />
      <Section>
        <SchemaForm
          operation="create_product"
          initial={source.data ? { ...source.data, productId: '' } : { images: [] }}
          hints={productHints()}
          done={words.common.created}
          onDone={({ id }) => go(`products/${id}`)}
        />
      </Section>
    </Stack>
  );
}
