import type { ComponentType, ReactNode } from 'react';
import { type GroupName, isWithin, may, type ScopeName } from './api/access';
import type { Store } from './api/store';
import type { OperationName } from './api/client';

export const SECTIONS = ['sell', 'catalog', 'marketing', 'shop', 'partners', 'account'] as const;
export type Section = (typeof SECTIONS)[number];

/** A page of the open store. */
export interface Page {
  /** The path below the store's address: `orders`, `orders/$orderId`. */
  path: string;
  title: () => string;
  /** The place in the menu. Pages without it are reached from other pages. */
  menu?: { section: Section; icon: ReactNode; order?: number; badge?: ReactNode };
  /** Only members who may do what this scope allows see the page. Default: read. */
  scope?: ScopeName;
  /** The group that a narrowed member needs to see a page that runs no operations, or all of them. */
  needs?: GroupName | 'all';
  /** The letter that opens the page when typed after `g`. */
  key?: string;
  /** The operations that a person can run from the page (test/docs/pages.spec.ts). */
  operations: readonly OperationName[];
  load: () => Promise<{ default: ComponentType }>;
  /** Whether it is drawn with the first texts alone (words/index.ts), before all others are there. */
  isFirst?: true;
  /** The page that has taken the place of this one, to which its address leads. */
  leadsTo?: string;
}

/** An entry of the palette that is not a page, for example "Create a brand". */
export interface Action {
  title: () => string;
  /** The address below the store's, with a query: `brands?new=1`. */
  to: string;
  scope?: ScopeName;
}

export interface PageGroup {
  pages: Page[];
  actions?: Action[];
}

/** The index of each folder in pages/ declares its pages, so a new group needs nothing but a new folder. */
const groups = Object.values(
  import.meta.glob<{ default: PageGroup }>('./pages/*/index.ts*', { eager: true }),
).map((module) => module.default);

export const PAGES: Page[] = groups.flatMap(({ pages }) => pages);
export const ACTIONS: Action[] = groups.flatMap(({ actions = [] }) => actions);

/** Whether a member sees the page: it shows nothing that their role or groups do not allow. */
export function opens(store: Store, { path, scope, operations, needs }: Page): boolean {
  if (!may(store.role, scope)) return false;
  if (needs && store.groups !== null) return store.groups.includes(needs);
  return path === 'overview' || operations.length === 0 || isWithin(store, operations);
}

/** The pages in the menu by section, for a member of this store. */
export function menuFor(store: Store): { section: Section; pages: Page[] }[] {
  const shown = PAGES.filter((page) => page.menu && opens(store, page));
  return SECTIONS.map((section) => ({
    section,
    pages: shown
      .filter(({ menu }) => menu!.section === section)
      .sort((a, b) => (a.menu!.order ?? 50) - (b.menu!.order ?? 50)),
  })).filter(({ pages }) => pages.length > 0);
}
