import type { ComponentType, ReactNode } from 'react';
import type { OperationName } from './api/client';

export const SECTIONS = ['sell', 'catalog', 'marketing', 'shop', 'partners', 'account'] as const;
export type Section = (typeof SECTIONS)[number];

/** A page below an open store. */
export interface Page {
  /** Below the store's address: `orders`, `orders/$orderId`. */
  path: string;
  title: () => string;
  /** Where it stands in the menu; pages without it are reached from others. */
  menu?: { section: Section; icon: ReactNode; order?: number };
  /** Default: every member. Staff do not see an owner's pages. */
  access?: 'owner';
  /** The letter after `g` that leads here. */
  key?: string;
  /** The operations that a person reaches from it (test/web/coverage.spec.ts). */
  operations: readonly OperationName[];
  load: () => Promise<{ default: ComponentType }>;
}

/** Something to do that is not a page, for the palette: "Create a brand". */
export interface Action {
  title: () => string;
  /** Below the store's address, with a search: `brands?new=1`. */
  to: string;
  access?: 'owner';
}

export interface PageGroup {
  pages: Page[];
  actions?: Action[];
}

/** Every folder of pages/ says in its index what it has: a new folder is all that a new group needs. */
const groups = Object.values(import.meta.glob<{ default: PageGroup }>('./pages/*/index.ts*', { eager: true })).map(
  (module) => module.default,
);

export const PAGES: Page[] = groups.flatMap(({ pages }) => pages);
export const ACTIONS: Action[] = groups.flatMap(({ actions = [] }) => actions);

/** The pages of the menu, section by section, for a person of this role. */
export function menuFor(role: string): { section: Section; pages: Page[] }[] {
  const shown = PAGES.filter(({ menu, access }) => menu && (access === undefined || role === access));
  return SECTIONS.map((section) => ({
    section,
    pages: shown.filter(({ menu }) => menu!.section === section).sort((a, b) => (a.menu!.order ?? 50) - (b.menu!.order ?? 50)),
  })).filter(({ pages }) => pages.length > 0);
}
