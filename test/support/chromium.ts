import { existsSync } from 'node:fs';

/** Where Debian, and others, put it. jest.config.js looks at the same places. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export function chromiumPath(): string {
  const found = PLACES.find((place) => existsSync(place));
  if (found === undefined) throw new Error('no Chromium was found');
  return found;
}
