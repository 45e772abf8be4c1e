import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { call } from './api/client';
import { fetched, fetchedWithWords } from './api/code';
import { queryClient } from './api/queries';
import { Refusal } from './api/refusal';
import { setCurrency } from './api/amounts';
import type { Store } from './api/store';
import { notifyWithheld } from './notify';
import { PageFailure } from './parts/failure';
import { opens, type Page, PAGES } from './registry';
import { NoSuchPage } from './shell/no-such-page';
import { SignInPage } from './shell/sign-in-page';
import { majorMoney, minorMoney } from './parts/values/format';
import { setTimeZone } from './parts/values/time-zone';

type Search = Record<string, string>;

const stores = {
  queryKey: ['stores'],
  queryFn: () => call('GET stores', {}).then(({ items }) => items),
  staleTime: 300_000,
  // Kept while the tab is open, so that a page needs no connection to be left for another.
  gcTime: Infinity,
  revalidateIfStale: true,
};

/**
 * Loads the person's stores. Somebody who is not signed in is sent to the sign-in page, and back here
 * afterwards.
 */
async function signedIn(from: string): Promise<Store[]> {
  try {
    return await queryClient.ensureQueryData(stores);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'invalid_token')
      throw redirect({ to: '/sign-in', search: { from } });
    throw error;
  }
}

const ROOT = createRootRoute({ notFoundComponent: NoSuchPage });

const SIGN_IN = createRoute({
  getParentRoute: () => ROOT,
  path: 'sign-in',
  // Accepts only our own paths, so that the sign-in page cannot be abused to redirect to another site.
  validateSearch: ({ from }: Search): Search => (from && /^\/(?![/\\])/.test(from) ? { from } : {}),
  component: SignInPage,
});

const INVITATION = createRoute({
  getParentRoute: () => ROOT,
  path: 'accept-invitation',
  component: lazyRouteComponent(
    () => fetched(() => import('./shell/accept-invitation-page')),
    'AcceptInvitationPage',
  ),
});

const RESET = createRoute({
  getParentRoute: () => ROOT,
  path: 'reset-password',
  component: lazyRouteComponent(
    () => fetched(() => import('./shell/reset-password-page')),
    'ResetPasswordPage',
  ),
});

const HOME = createRoute({
  getParentRoute: () => ROOT,
  path: '/',
  beforeLoad: async ({ location }) => {
    const all = await signedIn(location.href);
    const last = all.find(({ id }) => id === localStorage.getItem('store')) ?? all[0];
    if (last) throw redirect({ to: `/${last.id}/overview`, replace: true });
  },
  component: NoSuchPage,
});

const STORE = createRoute({
  getParentRoute: () => ROOT,
  path: '$storeId',
  beforeLoad: async ({ params, location }) => {
    const all = await signedIn(location.href);
    const { storeId } = params as { storeId: string };
    const current = all.find(({ id }) => id === storeId);
    if (!current) throw redirect({ to: '/' });
    localStorage.setItem('store', current.id);
    setTimeZone(current.timeZone);
    setCurrency({
      minor: (amount) => minorMoney(amount, current),
      major: (amount) => majorMoney(amount, current),
    });
    return { store: current, stores: all };
  },
  component: lazyRouteComponent(() => fetched(() => import('./shell/frame')), 'Frame'),
  notFoundComponent: NoSuchPage,
});

const pageRoute = (page: Page) =>
  createRoute({
    getParentRoute: () => STORE,
    path: page.path,
    validateSearch: (search: Search): Search => search,
    beforeLoad: ({ context, params, search }) => {
      const { store } = context as { store: Store };
      if (page.leadsTo) throw redirect({ to: `/${store.id}/${page.leadsTo}`, search, replace: true });
      // A person never sees a page that their role or groups cannot load.
      if (opens(store, page)) return;
      notifyWithheld();
      throw redirect({ to: `/${(params as { storeId: string }).storeId}/overview` });
    },
    component: lazyRouteComponent(
      () => (page.isFirst ? fetched(page.load) : fetchedWithWords(page.load)),
      'default',
    ),
    errorComponent: PageFailure,
  });

/** All pages of a store come from the registry; the few others are declared here. */
export const createAppRouter = () =>
  createRouter({
    routeTree: ROOT.addChildren([
      ...[SIGN_IN, INVITATION, RESET, HOME],
      STORE.addChildren(PAGES.map(pageRoute)),
    ]),
    basepath: new URL(document.baseURI).pathname,
    defaultPreload: 'intent',
    // Parameters in the address are plain texts, not JSON: ?status=PENDING&text=42.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const given = Object.entries(search as Search).filter(
        ([, value]) => value !== undefined && value !== '',
      );
      return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
    },
    scrollRestoration: true,
    defaultErrorComponent: PageFailure,
  });
