import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSearch } from '../address';

interface Tab {
  /** Its value in the address; undefined for the default tab. */
  value: string | undefined;
  label: ReactNode;
}

interface Props {
  label: string;
  /** The name of the parameter in the address. */
  name: string;
  tabs: Tab[];
  /** Whether a change replaces the entry in the browser's history, so that "back" skips it. */
  replace?: boolean;
}

/**
 * Tabs for the views of a page. Each tab is a link. If the address names none of them, the tab without a
 * value is shown.
 */
export function Tabs({ label, name, tabs, replace }: Props) {
  const [search] = useSearch();
  const shown = tabs.find(({ value }) => value === search[name])?.value;
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <Link
          key={tab.value ?? ''}
          to="."
          search={{ ...search, [name]: tab.value }}
          replace={replace}
          className="tab"
          aria-current={tab.value === shown ? 'page' : undefined}
          activeOptions={{ exact: true, explicitUndefined: true }}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
