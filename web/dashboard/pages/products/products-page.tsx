import { Select, Stack } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { useSearch } from '../../address';
import { mayRun } from '../../api/access';
import type { Output } from '../../api/client';
import { useAll, usePages } from '../../api/queries';
import { useStore } from '../../api/store';
import { GoToButton } from '../../parts/go-to';
import { choicesOf } from '../../parts/inputs/inputs-of';
import { type Column, DataList } from '../../parts/lists/data-list';
import { ExportLink } from '../../parts/lists/export-link';
import { FindInput } from '../../parts/lists/find-input';
import { useSelection } from '../../parts/lists/selection';
import { later, useOnce } from '../../parts/lazy-component';
import { PlusIcon, SearchIcon } from '../../parts/icons';
import { PageHead } from '../../parts/states';
import { usePicturesOf } from '../../parts/values/pictures';
import { GoneFilters, useIsGone, withoutGone } from '../../parts/views/gone-filters';
import { Badge } from '../../parts/values/values';
import { words } from '../../words/all';
import { filtersOf } from './filters';
import { Price } from './price';
import { Stock } from './stock';

const BulkBar = later(() => import('./bulk/bulk-bar').then((file) => file.BulkBar));

type Row = Output<'find_products'>['items'][number];

/** @param names those of brands and categories, by their ids */
const columnsWith = (
  pictures: ReadonlyMap<string, string>,
  names: ReadonlyMap<string | null, string>,
  heavy: ReadonlySet<string | undefined>,
): Column<Row>[] => [
  {
    key: 'title',
    label: words.fields.title,
    render: ({ title }) => title,
    picture: ({ id }) => pictures.get(id),
    below: ({ id, productId }) => (
      <>
        {productId} {heavy.has(pictures.get(id)) && <Heavy />}
      </>
    ),
  },
  {
    key: 'price',
    label: words.products.price,
    align: 'end',
    render: (row) => <Price {...row} />,
    onCard: 'head',
  },
  { key: 'stock', label: words.products.stock, align: 'end', render: stockOf },
  {
    key: 'category',
    label: words.products.category,
    isShort: true,
    render: ({ categoryId }) => names.get(categoryId) ?? '–',
    wideOnly: true,
  },
  {
    key: 'brand',
    label: words.products.brand,
    isShort: true,
    render: ({ brandId }) => names.get(brandId) ?? '–',
    wideOnly: true,
  },
  {
    key: 'state',
    label: words.products.state,
    render: ({ isHidden, onSale }) => (
      <Badge tone={onSale ? 'green' : 'grey'}>
        {isHidden ? words.products.hidden : onSale ? words.products.visible : words.products.saleState.off}
      </Badge>
    ),
    onCard: 'badge',
  },
];

/** In pixels: a phone's screen shows a card and half of that. */
const HEAVY_WIDTH = 1_000;

/** The pictures, as far as they were drawn, that shoppers load whole although they are large. */
function useHeavy() {
  const [heavy, setHeavy] = useState<ReadonlySet<string | undefined>>(new Set());
  const note = ({ target }: SyntheticEvent) => {
    const picture = target as HTMLImageElement;
    // One of ours is drawn in its smallest width.
    if (picture.naturalWidth > HEAVY_WIDTH)
      setHeavy((known) => new Set(known).add(picture.getAttribute('src') ?? undefined));
  };
  return [heavy, note] as const;
}

const Heavy = () => (
  <span title={words.products.heavyHint}>
    <Badge tone="amber">{words.products.heavy}</Badge>
  </span>
);

function stockOf({ id, title, itemAmount, variants }: Row) {
  if (variants.length > 0) return words.products.variantsCount(variants.length);
  return <Stock productId={id} name={title} amount={itemAmount} />;
}

export default function ProductsPage() {
  const [search] = useSearch();
  const { text, categoryId, brandId, show } = search;
  const gone = {
    categoryId: useIsGone('get_category', categoryId) && words.products.category,
    brandId: useIsGone('get_brand', brandId) && words.products.brand,
  };
  const filters = filtersOf(withoutGone(search, gone));
  const query = usePages('find_products', filters);
  const pictures = usePicturesOf(query.rows.map(({ id }) => id));
  const known = [...useAll('list_categories'), ...useAll('list_brands')];
  const names = new Map<string | null, string>(known.map(({ id, name }) => [id, name]));
  const [heavy, note] = useHeavy();
  const mayEdit = mayRun(useStore().role, 'update_products');
  const selection = useSelection('find_products', filters, query.rows);
  const hasChosen = useOnce(selection.selected.size > 0);
  const create = (
    <GoToButton to="products/new" leftSection={<PlusIcon />}>
      {words.creates.product}
    </GoToButton>
  );
  return (
    <Stack>
      <PageHead title={words.pages.products}>
        <ExportLink route="GET stores/{storeId}/products/export.csv" filters={filters} />
        <GoToButton variant="default" to="products/import">
          {words.imports.link}
        </GoToButton>
        <GoToButton variant="default" to={`products/prices?${new URLSearchParams(search)}`}>
          {words.pages.prices}
        </GoToButton>
        {create}
      </PageHead>
      <Filters />
      <GoneFilters gone={gone} />
      <div onLoadCapture={note}>
        <DataList
          query={query}
          rowKey={({ id }) => id}
          rowName={({ title }) => title}
          to={({ id }) => `products/${id}`}
          columns={columnsWith(pictures, names, heavy)}
          selected={mayEdit ? selection.selected : undefined}
          onSelect={selection.select}
          empty={
            text || categoryId || brandId || show
              ? { title: words.common.nothingFound, hint: words.common.nothingFoundHint }
              : { title: words.products.empty, hint: words.products.emptyHint, action: create }
          }
        />
      </div>
      {hasChosen && <BulkBar selection={selection} />}
    </Stack>
  );
}

function Filters() {
  const [search, setSearch] = useSearch();
  const categories = useAll('list_categories');
  const brands = useAll('list_brands');
  const choice = (name: string, label: string) => ({
    'aria-label': label,
    placeholder: label,
    clearable: true,
    value: search[name] ?? null,
    onChange: (value: string | null) => setSearch({ [name]: value }),
  });
  const { products } = words;
  return (
    <div className="find-filters">
      <FindInput
        aria-label={products.find}
        placeholder={products.find}
        leftSection={<SearchIcon size={16} />}
      />
      <Select {...choice('categoryId', products.category)} searchable data={namesOf(categories)} />
      <Select {...choice('brandId', products.brand)} searchable data={namesOf(brands)} />
      <Select {...choice('show', products.show)} data={choicesOf(['hidden', 'low'], products)} />
    </div>
  );
}

const namesOf = (list: { id: string; name: string }[]) =>
  list.map(({ id, name }) => ({ value: id, label: name }));
