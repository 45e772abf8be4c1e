import { Stack } from '@mantine/core';
import { useGo, useSearch } from '../../address';
import type { Output } from '../../api/client';
import { useRead } from '../../api/queries';
import type { FieldProps } from '../../parts/forms/field';
import { SchemaForm } from '../../parts/forms/schema-form';
import { LoadingBlock, PageHead, Section } from '../../parts/states';
import { words } from '../../words/all';
import { type Matrix, matrixOf, variantsOf } from './matrix/matrix';
import { MatrixEditor } from './matrix/matrix-editor';
import { productHints } from './product-fields';

/** A new product, either empty or a copy of another one (`?from=`). */
export default function NewProductPage() {
  const [{ from }] = useSearch();
  const go = useGo();
  const source = useRead('get_product', { id: from }, { enabled: from !== undefined });
  if (from && source.isPending) return <LoadingBlock />;
  return (
    <Stack maw={720}>
      <PageHead title={words.creates.product} hint={words.products.createHint} />
      <Section>
        <SchemaForm
          operation="create_product"
          initial={source.data ? copyOf(source.data) : { images: [], variants: [] }}
          first={[
            'title',
            'productId',
            'description',
            'images',
            'price',
            'salePrice',
            'itemAmount',
            'variants',
          ]}
          hints={hints()}
          done={words.common.created}
          onDone={({ id }) => go(`products/${id}`)}
        />
      </Section>
    </Stack>
  );
}

/** The id of the copy follows its title as soon as that is another. */
const copyOf = (source: Output<'get_product'>) => ({
  ...source,
  productId: `${source.productId}-2`,
  variants: source.variants.map(matrixOf),
});

const hints = () => ({
  ...productHints(),
  variants: {
    label: words.products.variants,
    hint: words.products.variantsHint,
    render: (field: FieldProps) => <MatrixEditor {...field} />,
    sent: (matrices: unknown, all: Record<string, unknown>) =>
      variantsOf(matrices as Matrix[], {
        price: all.price as number,
        salePrice: (all.salePrice as number | undefined) ?? null,
      }),
  },
});
