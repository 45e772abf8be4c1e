import { existsSync } from 'node:fs';

const PLACES = ['/usr/bin/firefox-esr', '/usr/bin/firefox'];

/** Where Debian puts Firefox; null if it is not installed. */
export const FIREFOX = PLACES.find((place) => existsSync(place)) ?? null;
