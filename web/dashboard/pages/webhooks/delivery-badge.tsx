import type { RouteOutput } from '../../api/client';
import { Badge, type Tone } from '../../parts/values/values';
import { words } from '../../words/all';

export type DeliveryRow = RouteOutput<'GET stores/{storeId}/webhook/deliveries'>['items'][number];
type Status = DeliveryRow['status'];

const TONES: Record<Status, Tone> = { delivered: 'green', pending: 'amber', failed: 'red' };
export const DELIVERY_STATUSES = Object.keys(TONES) as Status[];

export const DeliveryBadge = ({ status }: { status: Status }) => (
  <Badge tone={TONES[status]}>{words.webhooks.statuses[status]}</Badge>
);
