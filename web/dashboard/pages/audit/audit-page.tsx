import { Button, Stack } from '@mantine/core';
import { useSearch } from '../../address';
import type { RouteInput } from '../../api/client';
import { usePages, useRead } from '../../api/queries';
import { choicesOf } from '../../parts/inputs/inputs-of';
import { ChoiceFilter, TimeFilter } from '../../parts/lists/filters';
import { type Column, DataList } from '../../parts/lists/data-list';
import { CrossIcon } from '../../parts/icons';
import { PageHead } from '../../parts/states';
import { When } from '../../parts/values/values';
import { withZone } from '../../parts/values/time-zone';
import { auditNames } from '../../words';
import { words } from '../../words/all';
import { AuditDrawer } from './audit-drawer';
import { type AuditRow, OutcomeBadge } from './outcome-badge';
import { KINDS, nameOf, nameOfCall } from './targets';

type Outcome = RouteInput<'GET stores/{storeId}/audit'>['outcome'];

const COLUMNS = (): Column<AuditRow>[] => [
  { key: 'what', label: words.audit.what, render: ({ operation, action }) => nameOfCall(action, operation) },
  {
    key: 'target',
    label: words.audit.target,
    render: ({ target, label }) => (target ? nameOf(target, label) : '–'),
  },
  { key: 'who', label: words.audit.who, render: ({ actor }) => actor.name, isShort: true },
  {
    key: 'how',
    label: words.audit.how,
    render: ({ transport }) => words.audit.transports[transport],
    wideOnly: true,
  },
  { key: 'outcome', label: words.audit.outcome, render: ({ outcome }) => <OutcomeBadge outcome={outcome} /> },
  { key: 'when', label: words.audit.when, render: ({ at }) => <When iso={at} /> },
];

const FILTERS = ['operation', 'kind', 'outcome', 'from', 'to', 'target', 'actor'] as const;

/**
 * The log of who did what in this store. The filters are in the address, so that other pages can link to the
 * log of one record.
 */
export default function AuditPage() {
  const [search, setSearch] = useSearch();
  const query = usePages('GET stores/{storeId}/audit', {
    operation: search.operation,
    target: search.target,
    targetKind: search.kind,
    actorId: search.actor,
    outcome: search.outcome as Outcome,
    from: search.from,
    to: search.to,
  });
  const opened = query.rows.find(({ id }) => id === search.row);
  const isFiltered = FILTERS.some((name) => search[name]);
  return (
    <Stack>
      <PageHead title={words.pages.audit} hint={withZone(words.audit.hint)} />
      <Filters />
      <DataList
        query={query}
        columns={COLUMNS()}
        rowKey={({ id }) => id}
        rowName={({ operation, action, target, label }) =>
          `${nameOfCall(action, operation)} ${target ? nameOf(target, label) : ''}`.trim()
        }
        onOpen={({ id }) => setSearch({ row: id })}
        empty={
          isFiltered
            ? { title: words.common.nothingFound, hint: words.common.nothingFoundHint }
            : { title: words.audit.empty, hint: words.audit.emptyHint }
        }
      />
      {opened && <AuditDrawer row={opened} onClose={() => setSearch({ row: null })} />}
    </Stack>
  );
}

function Filters() {
  const [search] = useSearch();
  return (
    <div className="choice-filters">
      <ChoiceFilter
        name="operation"
        label={words.audit.operation}
        searchable
        nothingFoundMessage={words.common.nothingFound}
        data={operations(search.operation)}
      />
      <ActorFilter />
      <ChoiceFilter name="kind" label={words.audit.target} data={choicesOf(KINDS, auditNames.kinds)} />
      <ChoiceFilter
        name="outcome"
        label={words.audit.outcome}
        data={choicesOf(['ok', 'forbidden'], words.audit.outcomes)}
      />
      <TimeFilter name="from" label={words.audit.from} />
      <TimeFilter name="to" label={words.audit.to} />
      {FILTERS.some((name) => search[name]) && <ClearButton />}
    </div>
  );
}

/** By their names for people, with the one in the address, which may be another. */
function operations(chosen: string | undefined) {
  const names = new Map(Object.entries(auditNames.operations));
  if (chosen !== undefined && !names.has(chosen)) names.set(chosen, nameOfCall(null, chosen));
  return [...names]
    .map(([value, label]) => ({ value, label }))
    .sort((a, b) => a.label.localeCompare(b.label));
}

const useActors = () => useRead('GET stores/{storeId}/audit/actors', {}).data?.items ?? [];

function ActorFilter() {
  const [, setSearch] = useSearch();
  const actors = useActors();
  const byKind = (['user', 'client', 'token'] as const).map((kind) => ({
    group: words.audit.actorGroups[kind],
    items: actors.filter((actor) => actor.kind === kind).map(({ id, name }) => ({ value: id!, label: name })),
  }));
  return (
    <ChoiceFilter
      name="actor"
      label={words.audit.who}
      searchable
      nothingFoundMessage={words.common.nothingFound}
      data={byKind.filter(({ items }) => items.length > 0)}
      onChange={(actor) => setSearch({ actor, actorName: null })}
    />
  );
}

/** Clears all filters, and names those that no input shows: an actor who is not in the list, and a record. */
function ClearButton() {
  const [{ actor, actorName, target }, setSearch] = useSearch();
  const isListed = useActors().some(({ id }) => id === actor);
  const chosen = [actor && !isListed && (actorName ?? actor), target && nameOf(target)].filter(Boolean);
  const clear = () => setSearch(Object.fromEntries([...FILTERS, 'actorName'].map((name) => [name, null])));
  return (
    <Button variant="default" leftSection={<CrossIcon size={16} />} onClick={clear}>
      {chosen.length > 0 ? chosen.join(' · ') : words.audit.clear}
    </Button>
  );
}
