import type { RouteOutput } from '../../api/client';
import { Badge } from '../../parts/values/values';
import { words } from '../../words/all';

export type AuditRow = RouteOutput<'GET stores/{storeId}/audit'>['items'][number];

export const OutcomeBadge = ({ outcome }: { outcome: AuditRow['outcome'] }) => (
  <Badge tone={outcome === 'ok' ? 'green' : 'red'}>{words.audit.outcomes[outcome]}</Badge>
);
