/** A promise that a test fulfils when it wants to: what awaits `opened` goes on once `open` was called. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
