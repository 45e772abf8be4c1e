import { existsSync } from 'node:fs';

/** The paths of Chromium in Debian and elsewhere. jest.config.js uses the same list. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** Debian's Chromium without the parts that show windows: a third less processor time. */
const SHELL = '/usr/bin/chromium-headless-shell';

/** Whether the shell is missing; tests then run in the whole browser. */
export const isWithoutShell = !existsSync(SHELL);

/** The whole browser: it draws edges a little differently, and pictures are compared. */
export function chromiumPath(): string {
  const found = PLACES.find((place) => existsSync(place));
  if (found === undefined) throw new Error('no Chromium was found');
  return found;
}

/** What tests of pages run in. As root, as in CI, Debian's package has no sandbox. */
export const headlessBrowser = () => ({
  executablePath: isWithoutShell ? chromiumPath() : SHELL,
  args: ['--no-sandbox', '--disable-gpu'],
});
