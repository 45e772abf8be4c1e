import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSearch } from '../address';

interface Tab {
  /** What the address has for it; undefined for the one that is shown without. */
  value: string | undefined;
  label: ReactNode;
}

interface Props {
  label: string;
  /** Where the choice lives in the address. */
  name: string;
  tabs: Tab[];
  /** Whether the way back leads past a change. */
  replace?: boolean;
}

/** Views of the same page beside each other, each a link. An address that names none of them shows the one without a value. */
export function Tabs({ label, name, tabs, replace }: Props) {
  const [search] = useSearch();
  const shown = tabs.find(({ value }) => value === search[name])?.value;
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <Link
          key={tab.value ?? ''}
          to="."
          search={{ ...search, [name]: tab.value } as never}
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
