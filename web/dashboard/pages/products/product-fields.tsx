import { useAll } from '../../api/queries';
import { Choice } from '../../parts/inputs/choice';
import { PictureList } from '../../parts/inputs/picture-list';
import type { FieldHints, FieldProps } from '../../parts/forms/field';
import { words } from '../../words/all';

/** How to draw fields of a product for which the schema is not enough. */
export const productHints = (): Record<string, FieldHints> => ({
  productId: { label: words.products.externalId, hint: words.products.externalIdHint },
  price: { isAmount: true },
  salePrice: { isAmount: true },
  images: { label: words.products.images, render: (field) => <Images {...field} /> },
  brandId: { label: words.products.brand, render: (field) => <Reference {...field} list="list_brands" /> },
  categoryId: {
    label: words.products.category,
    render: (field) => <Reference {...field} list="list_categories" />,
  },
  // Free texts from the time before brands and categories were records.
  ...{ brand: { hidden: true }, category: { hidden: true }, subCategory: { hidden: true } },
});

function Reference({ list, ...field }: FieldProps & { list: 'list_brands' | 'list_categories' }) {
  return <Choice {...field} from={useAll(list)} />;
}

const Images = ({ label, required, error, value, onChange }: FieldProps) => (
  <PictureList
    {...{ label, required, error, onChange }}
    addLabel={words.products.addImage}
    value={(value as string[] | undefined) ?? []}
  />
);
