import { useAll } from '../../api/queries';
import { Choice } from '../../parts/inputs/choice';
import { MoneyInput } from '../../parts/inputs/money-input';
import { PictureList } from '../../parts/inputs/picture-list';
import type { FieldHints, FieldProps } from '../../parts/forms/field';
import { words } from '../../words/all';

/** How to draw fields of a product for which the schema is not enough. */
export const productHints = (): Record<string, FieldHints> => ({
  productId: { label: words.products.externalId, hint: words.products.externalIdHint },
  price: { render: (field) => <Amount {...field} /> },
  salePrice: { render: (field) => <Amount {...field} /> },
  images: { label: words.products.images, render: (field) => <Images {...field} /> },
  brandId: { label: words.products.brand, render: (field) => <Reference {...field} list="list_brands" /> },
  categoryId: {
    label: words.products.category,
    render: (field) => <Reference {...field} list="list_categories" />,
  },
  // Free texts from the time before brands and categories were records.
  ...{ brand: { hidden: true }, category: { hidden: true }, subCategory: { hidden: true } },
});

function Amount({ label, description, error, required, value, onChange }: FieldProps) {
  return (
    <MoneyInput
      {...{ label, description, error, required }}
      value={value as number | null}
      onChange={onChange}
    />
  );
}

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
