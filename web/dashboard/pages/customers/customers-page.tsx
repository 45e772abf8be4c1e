import './customers.css';
import { Button, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useSearch } from '../../address';
import { useStore } from '../../api/store';
import { SearchIcon } from '../../parts/icons';
import { ExportLink } from '../../parts/lists/export-link';
import { FindInput } from '../../parts/lists/find-input';
import { isSegment, segmentOf } from '../../parts/lists/segment';
import { PageHead } from '../../parts/states';
import { GoneFilters, useIsGone, withoutGone } from '../../parts/views/gone-filters';
import { SavedViews } from '../../parts/views/saved-views';
import { words } from '../../words/all';
import { SegmentFilters } from './segment-filters';
import { CustomerList } from './customer-list';

export default function CustomersPage() {
  const [search] = useSearch();
  const { currencyDecimals } = useStore();
  const { customers } = words;
  const gone = {
    productId: useIsGone('get_product', search.productId) && customers.bought,
    categoryId: useIsGone('get_category', search.categoryId) && customers.boughtCategory,
  };
  const chosen = withoutGone(search, gone);
  const isOpen = isSegment(search);
  // Null: a filter cannot be read.
  const segment = isOpen ? segmentOf(chosen, currencyDecimals).filters : { text: search.text };
  return (
    <Stack>
      <PageHead title={words.pages.customers}>
        {segment && <ExportLink route="GET stores/{storeId}/customers/export.csv" filters={segment} />}
      </PageHead>
      <SavedViews page="customers" />
      <div className="find-line">
        <FindInput
          aria-label={customers.find}
          placeholder={customers.find}
          leftSection={<SearchIcon size={16} />}
        />
        <ByPurchases isOpen={isOpen} search={search} />
      </div>
      {isOpen && <SegmentFilters />}
      <GoneFilters gone={isOpen ? gone : {}} />
      {segment && <CustomerList search={chosen} filters={segment} />}
    </Stack>
  );
}

/** Opens the filters of what customers have bought; closed they choose nobody. */
function ByPurchases({ isOpen, search }: { isOpen: boolean; search: Record<string, string> }) {
  return (
    <Button
      variant={isOpen ? 'light' : 'default'}
      aria-expanded={isOpen}
      renderRoot={(root) => (
        <Link to="." search={{ ...search, by: isOpen ? undefined : 'purchases' }} replace {...root} />
      )}
    >
      {words.customers.byPurchases}
    </Button>
  );
}
