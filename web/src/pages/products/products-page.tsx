import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { target, useSearch } from '../../address';
import { useRead, usePages } from '../../api/queries';
import { useStore } from '../../api/store';
import { DataList } from '../../parts/lists/data-list';
import { ExportLink } from '../../parts/lists/export-link';
import { PlusIcon, SearchIcon } from '../../parts/icons';
import { PageHead } from '../../parts/states';
import { Badge, Money } from '../../parts/values/values';
import { words } from '../../words';
import { Stock } from './stock';

const LOW_STOCK = 5;

export default function ProductsPage() {
  const { id: storeId } = useStore();
  const [search, setSearch] = useSearch();
  const { text, categoryId, brandId, show } = search;
  const filters = {
    ...{ text, categoryId, brandId },
    isHidden: show === 'hidden' ? true : undefined,
    maxStock: show === 'low' ? LOW_STOCK : undefined,
  };
  const query = usePages('find_products', filters);
  const categories = useRead('list_categories', { take: 100 });
  const brands = useRead('list_brands', { take: 100 });
  const find = useDebouncedCallback((typed: string) => setSearch({ text: typed }), 250);
  const create = (
    <Button
      leftSection={<PlusIcon />}
      renderRoot={(props) => <Link {...target(storeId, 'products/new')} {...props} />}
    >
      {words.products.create}
    </Button>
  );
  const choice = (
    name: 'categoryId' | 'brandId',
    label: string,
    items: { id: string; name: string }[] | undefined,
  ) => (
    <Select
      aria-label={label}
      placeholder={label}
      clearable
      searchable
      data={items?.map(({ id, name: shown }) => ({ value: id, label: shown })) ?? []}
      value={search[name] ?? null}
      onChange={(value) => setSearch({ [name]: value })}
    />
  );
  return (
    <Stack>
      <PageHead title={words.products.title}>
        <ExportLink route="GET stores/{storeId}/products/export.csv" filters={filters} />
        {create}
      </PageHead>
      <Group>
        <TextInput
          aria-label={words.products.find}
          placeholder={words.products.find}
          leftSection={<SearchIcon size={16} />}
          defaultValue={text}
          flex={1}
          miw={220}
          onChange={(event) => find(event.currentTarget.value)}
        />
        {choice('categoryId', words.products.category, categories.data?.items)}
        {choice('brandId', words.products.brand, brands.data?.items)}
        <Select
          aria-label={words.products.show}
          placeholder={words.products.show}
          clearable
          data={[
            { value: 'hidden', label: words.products.hidden },
            { value: 'low', label: words.products.low },
          ]}
          value={show ?? null}
          onChange={(value) => setSearch({ show: value })}
        />
      </Group>
      <DataList
        query={query}
        rowKey={({ id }) => id}
        rowName={({ title }) => title}
        to={({ id }) => `products/${id}`}
        columns={[
          { key: 'title', label: words.fields.title, render: ({ title }) => title },
          {
            key: 'productId',
            label: words.products.externalId,
            render: ({ productId }) => productId,
            wideOnly: true,
          },
          {
            key: 'price',
            label: words.products.price,
            align: 'end',
            render: ({ price, salePrice }) => <Price price={price} salePrice={salePrice} />,
          },
          {
            key: 'stock',
            label: words.products.stock,
            align: 'end',
            render: ({ id, title, itemAmount, variants }) =>
              variants.length > 0 ? (
                words.products.variantsCount(variants.length)
              ) : (
                <Stock productId={id} name={title} amount={itemAmount} />
              ),
          },
          {
            key: 'state',
            label: words.products.state,
            render: ({ isHidden }) => (
              <Badge tone={isHidden ? 'grey' : 'green'}>
                {isHidden ? words.products.hidden : words.products.visible}
              </Badge>
            ),
          },
        ]}
        empty={
          text || categoryId || brandId || show
            ? { title: words.common.nothingFound, hint: words.common.nothingFoundHint }
            : { title: words.products.empty, hint: words.products.emptyHint, action: create }
        }
      />
    </Stack>
  );
}

/** The current price. If there is a sale price, the regular one is struck through. */
export function Price({ price, salePrice }: { price: number; salePrice: number | null }) {
  if (salePrice === null) return <Money major={price} />;
  return (
    <>
      <Money major={salePrice} />{' '}
      <s className="numeric">
        <Money major={price} />
      </s>
    </>
  );
}
