import { painted } from '../painted';

// "Loading…" is drawn before the application begins, which keeps a phone busy for half a second.
await painted();
