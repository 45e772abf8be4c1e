import { queryOptions, useQuery } from '@tanstack/react-query';
import { fetched } from '../../api/code';
import { queryClient } from '../../api/queries';
import type { OperationSchema } from './schema';

const FORMS = queryOptions({
  queryKey: ['forms'],
  queryFn: async () => {
    const { default: forms } = await fetched(() => import('../../api/generated/forms.json'));
    return forms as Record<string, object> as Record<string, OperationSchema>;
  },
  staleTime: Infinity,
  gcTime: Infinity,
});

/** The schemas of the operations' forms, loaded when the first form opens. */
export const useForms = () => useQuery(FORMS);

/** Loads them before, so that a form is drawn at once. */
export const loadForms = () => queryClient.ensureQueryData(FORMS);
