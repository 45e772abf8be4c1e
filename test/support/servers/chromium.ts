import { existsSync } from 'node:fs';

/** The paths of Chromium in Debian and elsewhere. jest.config.js uses the same list. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export function chromiumPath(): string {
  const found = PLACES.find((place) => existsSync(place));
  if (found === undefined) throw new Error('no Chromium was found');
  return found;
}
