import { useState } from 'react';
import { useRead } from '../../api/queries';
import { Choice } from '../../parts/inputs/choice';
import { MoneyInput } from '../../parts/inputs/money-input';
import { PictureInput, UploadButton } from '../../parts/inputs/picture-input';
import { RowEditor } from '../../parts/inputs/row-editor';
import type { FieldHints, FieldProps } from '../../parts/forms/field';
import { words } from '../../words';

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
  const { data } = useRead(list, { take: 100 });
  return <Choice {...field} from={data?.items ?? []} />;
}

/** Addresses of pictures. The first one is the product's main picture. */
function Images({ label, error, value, onChange }: FieldProps) {
  const rows = ((value as string[] | undefined) ?? []).map((url) => ({ url }));
  const change = (changed: { url: string }[]) => onChange(changed.map(({ url }) => url));
  const [failed, setFailed] = useState<string | null>(null);
  return (
    <RowEditor
      ordered
      title={label}
      error={failed ?? error}
      addLabel={words.products.addImage}
      rows={rows}
      nameOf={(_, i) => `${label} ${i + 1}`}
      make={() => ({ url: '' })}
      onChange={change}
      render={(row, replace, i) => (
        <PictureInput
          isLabelHidden
          label={`${label} ${i + 1}`}
          value={row.url}
          onChange={(url) => replace({ url })}
        />
      )}
    >
      <UploadButton
        multiple
        label={words.pictures.uploadSome}
        onUploaded={(urls) =>
          change([...rows.filter(({ url }) => url !== ''), ...urls.map((url) => ({ url }))])
        }
        onError={setFailed}
      />
    </RowEditor>
  );
}
