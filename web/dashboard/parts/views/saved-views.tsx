import './views.css';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useSearch } from '../../address';
import { useChange } from '../../api/change';
import { useRead } from '../../api/queries';
import { words } from '../../words';
import { DotsIcon } from '../icons';
import { later } from '../lazy-component';
import { laterMenu, MenuButton } from '../menus/menu-button';
import { queryOf, searchOf, type View, type Viewed } from './query';

const ViewDialog = later(() => import('./view-dialog').then((file) => file.ViewDialog));
const ViewMenu = laterMenu(() => import('./view-menu').then((file) => file.ViewMenu));

/**
 * The saved views of a page as tabs, and what can be done with the filters in its address. Nothing is shown
 * while there is neither a view nor a filter.
 */
export function SavedViews({ page }: { page: Viewed }) {
  const [search, setSearch] = useSearch();
  const [named, setNamed] = useState<View | 'new' | null>(null);
  const views = useRead('GET stores/{storeId}/views', { page }).data?.items ?? [];
  const query = queryOf(page, search);
  const open = views.find(({ id }) => id === search.view) ?? views.find((view) => view.query === query);
  if (views.length === 0 && query === '') return null;
  return (
    <div className="views">
      {views.length > 0 && <ViewTabs page={page} views={views} open={open} isFiltered={query !== ''} />}
      {open && query !== '' && query !== open.query && <SaveButton view={open} query={query} />}
      {query !== '' && views.every((view) => view.query !== query) && (
        <Button variant="default" onClick={() => setNamed('new')}>
          {words.views.save}
        </Button>
      )}
      {open && (
        <MenuButton
          button={
            <Button variant="subtle" color="gray" px="xs" aria-label={words.views.actions(open.name)}>
              <DotsIcon />
            </Button>
          }
          menu={(button) => <ViewMenu button={button} view={open} onRename={() => setNamed(open)} />}
        />
      )}
      {named && (
        <ViewDialog
          {...{ page, query }}
          view={named === 'new' ? undefined : named}
          onSaved={({ id }) => setSearch({ view: id })}
          onClose={() => setNamed(null)}
        />
      )}
    </div>
  );
}

interface TabsProps {
  page: Viewed;
  views: View[];
  open: View | undefined;
  isFiltered: boolean;
}

function ViewTabs({ page, views, open, isFiltered }: TabsProps) {
  const current = (isCurrent: boolean) => (isCurrent ? 'page' : undefined);
  return (
    <nav className="tabs" aria-label={words.views.title}>
      <Link to="." search={{}} className="tab" aria-current={current(!open && !isFiltered)}>
        {words.views.all[page]}
      </Link>
      {views.map((view) => (
        <Link
          key={view.id}
          to="."
          search={searchOf(view)}
          className="tab"
          aria-current={current(view === open)}
          activeOptions={{ exact: true, explicitUndefined: true }}
        >
          {view.name}
        </Link>
      ))}
    </nav>
  );
}

/** Keeps the filters in the address as those of the view that is open. */
function SaveButton({ view: { id, name, updatedAt }, query }: { view: View; query: string }) {
  const change = useChange('PUT stores/{storeId}/views/{id}', { done: words.common.saved });
  return (
    <Button
      variant="default"
      loading={change.isPending}
      onClick={() => void change.make({ id, query }, { ifMatch: updatedAt })}
    >
      {words.views.saveChanges(name)}
    </Button>
  );
}
