import { Anchor, Text } from '@mantine/core';
import { Link, useRouteContext } from '@tanstack/react-router';
import { words } from '../words';
import { Door } from './door';

/** Shown for an unknown address, and to a person without a store. */
export function NoSuchPage() {
  const { store } = useRouteContext({ strict: false }) as { store?: { id: string } };
  const isHome = new URL(document.baseURI).pathname === location.pathname;
  return (
    <Door title={isHome ? words.shell.noStores : words.shell.noSuchPage}>
      {isHome ? (
        <Text>{words.shell.noStoresHint}</Text>
      ) : (
        <Anchor renderRoot={(props) => <Link to={store ? `/${store.id}/overview` : '/'} {...props} />}>
          {words.shell.home}
        </Anchor>
      )}
    </Door>
  );
}
