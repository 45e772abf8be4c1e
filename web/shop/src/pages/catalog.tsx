import { useEffect, useRef, useState } from 'preact/hooks';
import { get, type Listed, type Page, type Refusal, type Shop } from '../api';
import { cart, countOf } from '../cart';
import { methodsOf } from '../checkout/methods';
import { Failure } from '../failure';
import { major } from '../money';
import { Picture, Placeholder } from '../parts';
import { asRefusal, useCell } from '../state';
import { Link } from '../ui';
import { words } from '../words';
import { Filters, hasSale, wanted, type Wanted } from './filters';

const TAKE = 20;
/** How many products are seen without scrolling. */
const FIRST = 4;

interface List {
  items: Listed[];
  nextCursor: string | null;
}

/** Kept while other pages are open, so that a shopper comes back to where they were. */
const lists = new Map<string, List>();

const ask = ({ text, category, subCategory, brand, onSale }: Wanted, cursor: string | undefined) =>
  get<Page<Listed>>('products', {
    take: TAKE,
    text: text.trim() || undefined,
    categoryId: subCategory || category || undefined,
    brandId: brand || undefined,
    onSale: onSale ? 'true' : undefined,
    cursor,
  });

export function Catalog({ shop }: { shop: Shop }) {
  const asked = useCell(wanted);
  const key = JSON.stringify(asked);
  const { list, refusal, more, isLoading } = useList(asked, key);
  const isNarrowed = Object.values(asked).some(Boolean);
  if (refusal && !list) return <Failure refusal={refusal} again={more} />;
  return (
    <>
      <Header shop={shop} />
      <main>
        {methodsOf(shop, null).length === 0 && <p class="warning">{words.refusals.no_orders_yet}</p>}
        <Filters shop={shop} asked={asked} />
        {list && list.items.length === 0 && (
          <Placeholder title={isNarrowed ? words.nothingFound : words.nothing} />
        )}
        <ul class="grid">
          {list?.items.map((product, i) => (
            <Card key={product.id} product={product} isFirst={i < FIRST} />
          ))}
        </ul>
        {!list && (
          <div
            class="skeleton"
            aria-hidden="true"
            children={[1, 2, 3, 4].map((n) => (
              <i key={n} />
            ))}
          />
        )}
        {list?.nextCursor && <More key={list.items.length} isLoading={isLoading} onMore={more} />}
      </main>
    </>
  );
}

function useList(asked: Wanted, key: string) {
  const [state, setState] = useState<{ key: string; refusal?: Refusal; isLoading: boolean }>({
    key,
    isLoading: true,
  });
  const now = useRef(key);
  now.current = key;
  const load = async (before: List | undefined) => {
    setState({ key, isLoading: true });
    try {
      const { items, nextCursor } = await ask(asked, before?.nextCursor ?? undefined);
      lists.set(key, { items: [...(before?.items ?? []), ...items], nextCursor });
      if (items.some(({ salePrice }) => salePrice !== null)) hasSale.set(true);
      if (now.current === key) setState({ key, isLoading: false });
    } catch (error) {
      if (now.current === key) setState({ key, refusal: asRefusal(error), isLoading: false });
    }
  };
  useEffect(() => {
    if (!lists.has(key)) void load(undefined);
  }, [key]);
  const { refusal, isLoading } = state.key === key ? state : { refusal: undefined, isLoading: true };
  return { list: lists.get(key), refusal, isLoading, more: () => void load(lists.get(key)) };
}

/** Loads the next page before its end is seen; also a button, for keyboards and screen readers. */
function More({ isLoading, onMore }: { isLoading: boolean; onMore: () => void }) {
  const element = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const watch = new IntersectionObserver(
      ([{ isIntersecting }]) => {
        if (!isIntersecting) return;
        watch.disconnect();
        onMore();
      },
      { rootMargin: '600px' },
    );
    watch.observe(element.current!);
    return () => watch.disconnect();
  }, []);
  return (
    <button ref={element} type="button" class="plain" disabled={isLoading} onClick={onMore}>
      {words.loadMore}
    </button>
  );
}

function Header({ shop: { settings } }: { shop: Shop }) {
  const count = countOf(useCell(cart));
  const name = settings.title || settings.name;
  const logo = settings.logoUrl || settings.darkLogoUrl;
  return (
    <header class="shop">
      {logo ? (
        <>
          <img class="logo on-light" src={logo} alt="" width={44} height={44} />
          <img class="logo on-dark" src={settings.darkLogoUrl || logo} alt="" width={44} height={44} />
        </>
      ) : (
        <span class="logo letter" aria-hidden="true">
          {Array.from(name)[0]}
        </span>
      )}
      <div>
        <h1 dir="auto">{name}</h1>
        {settings.description && <p dir="auto">{settings.description}</p>}
      </div>
      <Link to="orders" class="icon" label={words.orders}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M5 3h14v18l-3-2-2 2-2-2-2 2-2-2-3 2zM9 8h6M9 12h6" />
        </svg>
      </Link>
      <Link to="cart" class="icon" label={words.cart}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M3 4h3l2 11h10l2-8H7M10 20h.01M17 20h.01" />
        </svg>
        {count > 0 && <b aria-hidden="true">{count}</b>}
      </Link>
    </header>
  );
}

export function Price({
  price,
  salePrice,
  isFrom = false,
}: Pick<Listed, 'price' | 'salePrice'> & { isFrom?: boolean }) {
  const charged = major(salePrice ?? price);
  return (
    <span class="price">
      {salePrice === null ? (
        <span>{isFrom ? words.from(charged) : charged}</span>
      ) : (
        <>
          <ins>{isFrom ? words.from(charged) : charged}</ins> <del>{major(price)}</del>
        </>
      )}
    </span>
  );
}

/** The link is its title alone, so that this is its name; it covers the card. */
function Card({ product, isFirst }: { product: Listed; isFirst: boolean }) {
  return (
    <li class="card">
      <Picture src={product.image} isFirst={isFirst} />
      <Link to={`p/${product.id}`} class="title">
        <span dir="auto">{product.title}</span>
      </Link>
      <Price {...product} />
      {product.isSoldOut && <span class="badge">{words.soldOut}</span>}
    </li>
  );
}
