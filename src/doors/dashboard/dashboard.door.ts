import type { Door } from '../../platform/call/endpoint.js';
import { SessionGuard } from './session.guard.js';

export const API_PATH = 'dashboard/api';

/** What the pages ask for. Paths below stores/:storeId are for members only; `caller` is a `Caller`. */
export const DASHBOARD: Door = { name: 'dashboard', prefix: API_PATH, guard: SessionGuard, isNarrowed: true };
