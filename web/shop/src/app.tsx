import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { get, Refusal, send, type Shop } from './api';
import { clientAnswers, launch } from './client';
import { Failure, Outside } from './failure';
import { useCurrencyOf } from './money';
import { Catalog } from './pages/catalog';
import { go, route, useCell, useLoaded } from './state';
import { BackAction } from './ui';
import { words } from './words';

const DAY_MS = 86_400_000;
const isOld = () => !launch.isDemo && launch.signedAt > 0 && Date.now() - launch.signedAt > DAY_MS;
const OLD = new Refusal('signed_out', {}, '');

/** The pages that nobody sees first; they come in one file, once the first is there. */
const later = () => import('./pages/later');
type Later = Awaited<ReturnType<typeof later>>;

function PageOf({ path, shop }: { path: string; shop: Shop }) {
  const [pages, setPages] = useState<Later | null>(null);
  const [failed, setFailed] = useState(false);
  const load = () => later().then(setPages, () => setFailed(true));
  useEffect(() => void load(), []);
  if (path === '') return <Catalog shop={shop} />;
  if (failed && !pages)
    return <Failure refusal={new Refusal('unreachable', {}, '')} again={() => location.reload()} />;
  if (!pages) return <BackAction />;
  const [kind, id] = path.split('/');
  const Page = (pages.PAGES as Record<string, ComponentType<{ shop: Shop; id: string }> | undefined>)[
    id === undefined ? kind : `${kind}/`
  ];
  return Page ? <Page key={path} shop={shop} id={id} /> : <Catalog shop={shop} />;
}

export function App() {
  return launch.initData === '' ? <Outside /> : <Known />;
}

function Known() {
  const path = useCell(route);
  const { data: shop, refusal, again } = useLoaded('shop', () => get<Shop>('shop'));
  const [isOver, setOver] = useState(isOld());
  // A page that has been open since yesterday says so when it is looked at, not at the end of a checkout.
  useEffect(() => {
    const look = () => setOver(isOld());
    addEventListener('visibilitychange', look);
    return () => removeEventListener('visibilitychange', look);
  }, []);
  useEffect(() => {
    if (!shop) return;
    document.title = shop.settings.title || shop.settings.name;
    const [, product] = /^p_([0-9a-f-]{36})$/.exec(launch.startParam) ?? [];
    if (product && path === '' && history.state === null) go(`p/${product}`);
    void send('visits').catch(() => undefined);
  }, [shop !== undefined]);
  if (isOver) return <Failure refusal={OLD} again={again} />;
  if (shop) useCurrencyOf(shop);
  if (refusal && (!shop || refusal.problem !== 'unreachable'))
    return <Failure refusal={refusal} again={again} />;
  if (!shop) return <p class="loading">{words.loading}</p>;
  return (
    <>
      {launch.isDemo && !clientAnswers.get() && <aside class="demo">{words.demo}</aside>}
      <PageOf path={path} shop={shop} />
    </>
  );
}
