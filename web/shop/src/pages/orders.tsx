import { useState } from 'preact/hooks';
import { type BonusEntry, get, type Me, type Order, type Page, type Shop } from '../api';
import { openInMessenger } from '../client';
import { Failure } from '../failure';
import { major, minor } from '../money';
import { useLoaded } from '../state';
import { Placeholder, Row } from '../parts';
import { BackAction, Link } from '../ui';
import { language, words } from '../words';

type Listed = Omit<Order, 'awaitsPayment' | 'pricing'>;

export const dayOf = (time: string) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(new Date(time));

export function Orders({ shop }: { shop: Shop }) {
  const { data, refusal, again } = useLoaded('orders', () => get<Page<Listed>>('orders'));
  const [more, setMore] = useState<Page<Listed> | null>(null);
  if (refusal && !data) return <Failure refusal={refusal} again={again} />;
  const items = [...(data?.items ?? []), ...(more?.items ?? [])];
  const cursor = (more ?? data)?.nextCursor;
  const next = async () => {
    const page = await get<Page<Listed>>('orders', { cursor: cursor ?? undefined });
    setMore({ items: [...(more?.items ?? []), ...page.items], nextCursor: page.nextCursor });
  };
  return (
    <>
      <BackAction />
      <main>
        <h1>{words.orders}</h1>
        <Bonus shop={shop} />
        {data && items.length === 0 && <Placeholder title={words.noOrders} />}
        <ul class="rows">
          {items.map((order) => (
            <li key={order.id}>
              <Link to={`orders/${order.id}`} class="row">
                <span>
                  {words.order(order.id)}
                  <small>
                    {dayOf(order.createdAt)} · {words.status[order.status]}
                  </small>
                </span>
                <span>{minor(order.totalPrice)}</span>
              </Link>
            </li>
          ))}
        </ul>
        {cursor && (
          <button type="button" class="plain" onClick={() => void next().catch(again)}>
            {words.loadMore}
          </button>
        )}
      </main>
    </>
  );
}

function Bonus({ shop }: { shop: Shop }) {
  const { data: me } = useLoaded('me', () => get<Me>('me'));
  const { data: history } = useLoaded('bonus', () => get<Page<BonusEntry>>('bonus'));
  if (!me) return null;
  const invite = () =>
    openInMessenger(`https://t.me/share/url?${new URLSearchParams({ url: me.referralLink })}`);
  return (
    <>
      <section class="rows">
        <Row isStrong title={words.balance} after={major(me.bonusBalance)} />
        {shop.cashback?.description && (
          <p class="row" dir="auto">
            {shop.cashback.description}
          </p>
        )}
      </section>
      {history && history.items.length > 0 && (
        <details>
          <summary>{words.history}</summary>
          <section class="rows">
            {history.items.map(({ id, createdAt, delta, orderId }) => (
              <Row
                key={id}
                title={orderId === null ? dayOf(createdAt) : `${dayOf(createdAt)} · ${words.order(orderId)}`}
                after={(delta > 0 ? '+' : '') + major(delta)}
              />
            ))}
          </section>
        </details>
      )}
      {shop.botUsername && (
        <button type="button" class="plain" onClick={invite}>
          {words.invite}
        </button>
      )}
      {shop.botUsername && shop.referralJoinBonus > 0 && (
        <p class="hint">{words.inviteHint(major(shop.referralJoinBonus))}</p>
      )}
    </>
  );
}
