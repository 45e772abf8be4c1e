import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ask } from '../../api/client';
import { smallPicture } from '../../../../src/stores/pictures/small-pictures.js';
import { useStore } from '../../api/store';

/** What the route takes at most. */
const MOST = 100;

/** The main pictures of products by their ids, as far as they have been read. */
export function usePicturesOf(ids: string[]): ReadonlyMap<string, string> {
  const store = useStore();
  const { data } = useQuery({
    queryKey: [store.id, 'pictures of products', ids],
    queryFn: () => picturesOf(store.id, ids),
    enabled: ids.length > 0,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
  return data ?? new Map<string, string>();
}

async function picturesOf(storeId: string, ids: string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (let i = 0; i < ids.length; i += MOST) {
    const { items } = await ask(storeId, 'GET stores/{storeId}/products/pictures', {
      ids: ids.slice(i, i + MOST),
    });
    for (const { id, url } of items) found.set(id, url);
  }
  return found;
}

/** The main pictures of what was ordered, by the products' external ids, as the lines of orders have them. */
export async function picturesOfOrders(storeId: string, orderIds: number[]): Promise<Map<string, string>> {
  const { items } = await ask(storeId, 'GET stores/{storeId}/orders/pictures', {
    orderIds: orderIds.map(String),
  });
  return new Map(items.map(({ productId, url }) => [productId, url]));
}

interface Props {
  /** Without it an empty frame keeps the place. */
  url: string | undefined;
  /** Whether it is fetched before it comes into view: for paper. */
  isEager?: boolean;
}

/** In pixels. */
const SIZE = 40;

/** A small picture beside a name, which says what it shows. */
const Thumb = ({ url, isEager }: Props) =>
  url ? (
    <img
      className="thumb"
      src={smallPicture(url, 320)}
      alt=""
      width={SIZE}
      height={SIZE}
      loading={isEager ? 'eager' : 'lazy'}
      decoding="async"
    />
  ) : (
    <div className="thumb" />
  );

/** A name with the picture of what it names in front. */
export const Pictured = ({ children, ...picture }: Props & { children: React.ReactNode }) => (
  <div className="pictured">
    <Thumb {...picture} />
    <div>{children}</div>
  </div>
);
