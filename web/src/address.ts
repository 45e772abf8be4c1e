import { useLocation, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { useStore } from './api/store';

type Search = Record<string, string>;
type Changes = Record<string, string | null | undefined>;

/** The filters of a page live in its address: they survive a reload and the way back, and can be sent to a colleague. */
export function useSearch(): [Search, (changes: Changes) => void] {
  const search = useLocation({ select: (location) => location.search as Search });
  const navigate = useNavigate();
  const change = (changes: Changes) => {
    const merged = Object.entries({ ...search, ...changes }).filter(
      ([, value]) => value !== null && value !== undefined && value !== '',
    );
    void navigate({ to: '.', search: Object.fromEntries(merged) as never, replace: true });
  };
  return [search, change];
}

/** A parameter of the page's path. */
export const useParam = (name: string): string => (useParams({ strict: false }) as Record<string, string>)[name];

/** Leads to an address below the open store: `orders/1042`, `orders?status=PENDING`. */
export function useGo(): (to: string) => void {
  const { id } = useStore();
  const router = useRouter();
  return (to) => void router.navigate(target(id, to));
}

/** What the router takes for an address below a store. */
export function target(storeId: string, to: string): { to: string; search: never } {
  const [path, query] = to.split('?');
  return { to: `/${storeId}/${path}`, search: Object.fromEntries(new URLSearchParams(query)) as never };
}
