import { ActionIcon, Burger, Button, Group, Kbd, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { createSpotlight, useSpotlight } from '@mantine/spotlight';
import {
  Link,
  Outlet,
  useLocation,
  useRouteContext,
  useRouter,
  useRouterState,
} from '@tanstack/react-router';
import { type CSSProperties, Fragment, type ReactNode, useEffect, useRef } from 'react';
import { type Store, StoreContext } from '../api/store';
import { useLeaveGuard } from '../parts/forms/unsaved';
import { BoxIcon, GearIcon, LinkIcon, MegaphoneIcon, SearchIcon, UserIcon } from '../parts/icons';
import { later, useOnce } from '../parts/lazy-component';
import { laterMenu, MenuButton } from '../parts/menus/menu-button';
import { useIsPhone } from '../phone';
import { Soon } from '../parts/deferred';
import { isNamed } from '../parts/values/tab-title';
import { menuFor, type Page, PAGES, type Section } from '../registry';
import { words } from '../words';
import { Keys } from './keys';
import { useLiveChanges } from './live';
import { SignInAgain } from './sign-in-again';
import { ViewShop } from './shop/view-shop';

const [paletteStore, palette] = createSpotlight();
const TestBanner = later(() => import('../parts/test-banner').then((file) => file.TestBanner));
const Palette = later(() => import('./palette').then((file) => file.Palette));
const AccountMenu = laterMenu(() => import('./account-menu').then((file) => file.AccountMenu));
const StoreMenu = laterMenu(() => import('./store-menu').then((file) => file.StoreMenu));

interface Context {
  store: Store;
  stores: Store[];
}

/** Everything around a store's page: the menu, the palette, the account. */
export function Frame() {
  return (
    <Soon>
      <Around />
    </Soon>
  );
}

function Around() {
  const { store, stores } = useRouteContext({ strict: false }) as Context;
  const isPhone = useIsPhone();
  const [opened, { toggle, close }] = useDisclosure();
  // On a phone the menu is not drawn until somebody opens it. After that it stays mounted, so that closing is
  // animated too.
  const hasMenu = useOnce(opened || !isPhone);
  useTitle(store);
  useFocusedPage();
  useLeaveGuard();
  return (
    <StoreContext.Provider value={store}>
      <Live />
      <a href="#page" className="skip" onClick={focusPage}>
        {words.shell.skip}
      </a>
      <div className="frame">
        <Header {...{ store, stores }}>{isPhone && <MenuToggle opened={opened} onClick={toggle} />}</Header>
        <nav className="menu" data-opened={opened || undefined} aria-label={words.shell.pages}>
          {hasMenu && <Sections store={store} onNavigate={close} />}
        </nav>
        <main id="page" tabIndex={-1}>
          <TestBanner key={`${store.id} banner`} />
          <Outlet key={store.id} />
        </main>
      </div>
      <Search />
      <Keys onFind={palette.open} />
      <SignInAgain />
    </StoreContext.Provider>
  );
}

function Header({ store, stores, children }: Context & { children: ReactNode }) {
  return (
    <header
      className="bar"
      style={store.accent ? ({ '--accent': store.accent } as CSSProperties) : undefined}
    >
      <Group gap="sm" wrap="nowrap" miw={0}>
        {children}
        <StoreSwitcher store={store} stores={stores} />
      </Group>
      <Group gap="xs" wrap="nowrap">
        <ViewShop />
        <SearchButton />
        <Account />
      </Group>
    </header>
  );
}

const MenuToggle = ({ opened, onClick }: { opened: boolean; onClick: () => void }) => (
  <Burger {...{ opened, onClick }} size="sm" aria-label={words.shell.menu} aria-expanded={opened} />
);

function SearchButton() {
  if (useIsPhone()) {
    return (
      <ActionIcon variant="default" size={36} onClick={palette.open} aria-label={words.common.search}>
        <SearchIcon />
      </ActionIcon>
    );
  }
  return (
    <Button
      variant="default"
      leftSection={<SearchIcon size={16} />}
      rightSection={<Kbd size="xs">Ctrl K</Kbd>}
      onClick={palette.open}
    >
      {words.common.search}
    </Button>
  );
}

/** Opened by keys (keys.tsx) and by the search buttons. */
function Search() {
  const { opened } = useSpotlight(paletteStore);
  return useOnce(opened) && <Palette store={paletteStore} />;
}

/** A separate component, because it has to be below the provider of the open store. */
function Live() {
  useLiveChanges();
  return null;
}

/** Focuses the page by script, because with the base address `#page` would lead to another document. */
function focusPage(event: React.MouseEvent) {
  event.preventDefault();
  document.getElementById('page')?.focus();
}

/**
 * A page that was opened from the one before has the focus, unless something else has it: otherwise the focus
 * would be gone with what opened it, and the next Tab would begin at the top.
 */
function useFocusedPage() {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    const isFirst = shown.current === undefined;
    shown.current = path;
    if (!isFirst && document.activeElement === document.body)
      document.getElementById('page')?.focus({ preventScroll: true });
  }, [path]);
}

/** The tab has the title of the page, unless the page has named it by its record. */
function useTitle(store: Store) {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const { basepath } = useRouter();
  useEffect(() => {
    const below = path.replace(basepath, '/').split('/').slice(2).join('/').replace(/^\//, '');
    const page = PAGES.find((one) =>
      new RegExp(`^${one.path.replace(/\$\w+/g, '[^/]+')}/?$`).test(below.replace(`${store.id}/`, '')),
    );
    if (!isNamed(path)) document.title = page ? `${page.title()} · ${store.name}` : store.name;
  }, [path, basepath, store]);
}

/** How many entries a menu may have that is shown as a whole, as that of a narrowed member. */
const MOST_FLAT = 10;

const SECTION_ICONS: Record<Section, ReactNode> = {
  sell: null,
  catalog: <BoxIcon />,
  marketing: <MegaphoneIcon />,
  shop: <GearIcon />,
  partners: <LinkIcon />,
  account: <UserIcon />,
};

function Sections({ store, onNavigate }: { store: Store; onNavigate: () => void }) {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const menu = menuFor(store);
  const isFlat = menu.flatMap(({ pages }) => pages).length <= MOST_FLAT;
  return menu.map(({ section, pages }) => {
    const links = pages.map((page) => <MenuLink key={page.path} {...{ store, page, onNavigate }} />);
    // What is opened every day stands by itself.
    if (isFlat || section === 'sell') return <Fragment key={section}>{links}</Fragment>;
    const isHere = pages.some((page) => path.includes(`/${store.id}/${page.path}`));
    return (
      <details key={section} className="menu-section" open={isHere}>
        <summary className="menu-link">
          {SECTION_ICONS[section]}
          <span className="menu-text">{words.shell.sections[section]}</span>
        </summary>
        {links}
      </details>
    );
  });
}

interface LinkProps {
  store: Store;
  page: Page;
  onNavigate: () => void;
}

const MenuLink = ({ store, page: { path, title, menu }, onNavigate }: LinkProps) => (
  <Link
    className="menu-link"
    to={`/${store.id}/${path}`}
    activeOptions={{ includeSearch: false }}
    onClick={onNavigate}
  >
    {menu!.icon}
    <span className="menu-text">{title()}</span>
    {menu!.badge}
  </Link>
);

/** The store's logo and name. */
const StoreName = ({ store: { name, logoUrl } }: { store: Store }) => (
  <Group component="span" gap="xs" wrap="nowrap" miw={0}>
    {logoUrl && <img className="store-logo" src={logoUrl} alt="" height={28} />}
    <Text component="span" fw={650} truncate>
      {name}
    </Text>
  </Group>
);

function StoreSwitcher({ store, stores }: Context) {
  if (stores.length === 1) {
    return <StoreName store={store} />;
  }
  const button = (
    <Button
      className="store-switch"
      variant="subtle"
      color="gray"
      px="xs"
      miw={0}
      aria-label={`${words.shell.store}: ${store.name}`}
    >
      <StoreName store={store} />
    </Button>
  );
  return (
    <MenuButton
      button={button}
      menu={(target) => <StoreMenu store={store} stores={stores} button={target} />}
    />
  );
}

function Account() {
  const button = (
    <ActionIcon variant="default" size={36} aria-label={words.shell.account}>
      <UserIcon />
    </ActionIcon>
  );
  return <MenuButton button={button} menu={(target) => <AccountMenu button={target} />} />;
}
