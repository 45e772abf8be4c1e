import type { TestApp, TestStore } from '../test-app.js';

/** Gives the store 49 payment providers more: one less than it may have. */
export const fillProviders = (app: TestApp, store: TestStore) =>
  app.query(
    `insert into payment_providers (store_id, id, provider_name, is_test_mode, is_active,
       supported_currencies, created_at, updated_at)
     select $1, gen_random_uuid(), 'p' || i, true, true, '{USD}', now(), now()
       from generate_series(1, 49) i`,
    [store.id],
  );
