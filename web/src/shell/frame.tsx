import { ActionIcon, AppShell, Burger, Button, Group, Kbd, Menu, NavLink, Text, useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { spotlight } from '@mantine/spotlight';
import { Link, Outlet, useLocation, useNavigate, useRouteContext, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { call } from '../api/client';
import { queryClient } from '../api/queries';
import { type Store, StoreContext } from '../api/store';
import { ExitIcon, MoonIcon, SearchIcon, UserIcon } from '../parts/icons';
import { useIsPhone } from '../parts/phone';
import { Soon } from '../parts/soon';
import { menuFor, PAGES } from '../registry';
import { chooseLanguage, type Language, LANGUAGES, words } from '../words';
import { Keys, showKeys } from './keys';
import { useLiveChanges } from './live';
import { Palette } from './palette';
import { SignInAgain } from './sign-in-again';

/** Everything round a page of a store: the menu, the palette, the account. */
export function Frame() {
  return (
    <Soon>
      <Around />
    </Soon>
  );
}

function Around() {
  const { store, stores } = useRouteContext({ strict: false }) as { store: Store; stores: Store[] };
  const isPhone = useIsPhone();
  const [opened, { toggle, close }] = useDisclosure();
  // On a phone the menu is away until somebody opens it; then it stays, to slide away as it came.
  const [hasMenu, setHasMenu] = useState(false);
  const toggleMenu = () => {
    setHasMenu(true);
    toggle();
  };
  useTitle(store);
  return (
    <StoreContext.Provider value={store}>
      <Live />
      <a href="#page" className="skip" onClick={focusPage}>
        {words.shell.skip}
      </a>
      <AppShell
        header={{ height: 56 }}
        navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened } }}
        padding={{ base: 'md', sm: 'xl' }}
      >
        <AppShell.Header>
          <Group h="100%" px="md" justify="space-between" wrap="nowrap">
            <Group gap="sm" wrap="nowrap" miw={0}>
              {isPhone && (
                <Burger opened={opened} onClick={toggleMenu} size="sm" aria-label={words.shell.menu} aria-expanded={opened} />
              )}
              <StoreSwitcher store={store} stores={stores} />
            </Group>
            <Group gap="xs" wrap="nowrap">
              {isPhone ? (
                <ActionIcon variant="default" size={36} onClick={spotlight.open} aria-label={words.common.search}>
                  <SearchIcon />
                </ActionIcon>
              ) : (
                <Button
                  variant="default"
                  leftSection={<SearchIcon size={16} />}
                  rightSection={<Kbd size="xs">Ctrl K</Kbd>}
                  onClick={spotlight.open}
                >
                  {words.common.search}
                </Button>
              )}
              <Account />
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar aria-label={words.shell.pages}>
          <div className="menu">{(hasMenu || !isPhone) && <Sections store={store} onNavigate={close} />}</div>
        </AppShell.Navbar>
        <AppShell.Main id="page" tabIndex={-1}>
          <Outlet key={store.id} />
        </AppShell.Main>
      </AppShell>
      <Palette />
      <Keys />
      <SignInAgain />
    </StoreContext.Provider>
  );
}

/** Below the provider, which says which store is open. */
function Live() {
  useLiveChanges();
  return null;
}

/** The base address would make `#page` another document. */
function focusPage(event: React.MouseEvent) {
  event.preventDefault();
  document.getElementById('page')?.focus();
}

function useTitle(store: Store) {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const { basepath } = useRouter();
  useEffect(() => {
    const below = path.replace(basepath, '/').split('/').slice(2).join('/').replace(/^\//, '');
    const page = PAGES.find((one) =>
      new RegExp(`^${one.path.replace(/\$\w+/g, '[^/]+')}/?$`).test(below.replace(`${store.id}/`, '')),
    );
    document.title = page ? `${page.title()} · ${store.name}` : store.name;
  }, [path, basepath, store]);
}

function Sections({ store, onNavigate }: { store: Store; onNavigate: () => void }) {
  return menuFor(store.role).map(({ section, pages }) => (
    <div key={section} role="group" aria-label={words.shell.sections[section]}>
      <Text size="xs" fw={600} c="dimmed" px="sm" pt="sm" pb={4} aria-hidden="true">
        {words.shell.sections[section]}
      </Text>
      {pages.map(({ path, title, menu }) => (
        <NavLink
          key={path}
          label={title()}
          leftSection={menu!.icon}
          onClick={onNavigate}
          renderRoot={(props) => (
            <Link
              to={`/${store.id}/${path}`}
              activeProps={{ 'data-active': true }}
              activeOptions={{ includeSearch: false }}
              {...props}
            />
          )}
        />
      ))}
    </div>
  ));
}

function StoreSwitcher({ store, stores }: { store: Store; stores: Store[] }) {
  const navigate = useNavigate();
  if (stores.length === 1) {
    return (
      <Text fw={650} truncate>
        {store.name}
      </Text>
    );
  }
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button variant="subtle" color="gray" px="xs" aria-label={`${words.shell.store}: ${store.name}`}>
          <Text fw={650} truncate>
            {store.name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {stores.map(({ id, name }) => (
          <Menu.Item key={id} aria-current={id === store.id} onClick={() => void navigate({ to: `/${id}/overview` })}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const SCHEMES = ['auto', 'light', 'dark'] as const;

function Account() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const navigate = useNavigate();
  const names = { auto: words.shell.asSystem, light: words.shell.light, dark: words.shell.dark };
  const signOut = async () => {
    await call('POST auth/sign-out', {});
    queryClient.clear();
    await navigate({ to: '/sign-in' });
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={words.shell.account}>
          <UserIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{words.shell.appearance}</Menu.Label>
        {SCHEMES.map((scheme) => (
          <Menu.Item
            key={scheme}
            leftSection={<MoonIcon size={16} />}
            aria-current={scheme === colorScheme}
            fw={scheme === colorScheme ? 600 : 400}
            onClick={() => setColorScheme(scheme)}
          >
            {names[scheme]}
          </Menu.Item>
        ))}
        <Menu.Label>{words.shell.language}</Menu.Label>
        {Object.entries(LANGUAGES).map(([tag, name]) => (
          <Menu.Item key={tag} lang={tag} onClick={() => chooseLanguage(tag as Language)}>
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item rightSection={<Kbd size="xs">?</Kbd>} onClick={showKeys}>
          {words.shell.keys}
        </Menu.Item>
        <Menu.Item leftSection={<ExitIcon size={16} />} onClick={() => void signOut()}>
          {words.shell.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
