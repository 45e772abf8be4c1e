import { useLocation, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { useStore } from './api/store';

type Search = Record<string, string>;
type Changes = Record<string, string | null | undefined>;

/**
 * The filters of a page are kept in its address, so that they survive a reload and "back", and can be sent to
 * a colleague.
 */
export function useSearch(): [Search, (changes: Changes) => void] {
  const search = useLocation({ select: (location) => location.search as Search });
  const navigate = useNavigate();
  const change = (changes: Changes) => {
    const merged = Object.entries({ ...search, ...changes }).filter(
      ([, value]) => value !== null && value !== undefined && value !== '',
    );
    void navigate({ to: '.', search: Object.fromEntries(merged), replace: true });
  };
  return [search, change];
}

/** A parameter in the page's path. */
export const useParam = (name: string): string =>
  (useParams({ strict: false }) as Record<string, string>)[name];

/**
 * Navigates to an address below the open store: `orders/1042`, `orders?status=PENDING`. With `ignoreBlocker`
 * it does not ask about typed work, because the page that has it is finished.
 */
export function useGo(): (to: string, options?: { ignoreBlocker: boolean }) => void {
  const { id } = useStore();
  const router = useRouter();
  return (to, options) => void router.navigate({ ...target(id, to), ...options });
}

/** An address below a store in the form that the router expects. */
export function target(storeId: string, to: string): { to: string; search: Search } {
  const [path, query] = to.split('?');
  return { to: `/${storeId}/${path}`, search: Object.fromEntries(new URLSearchParams(query)) };
}
