let isChanging = false;

/** A change has begun. */
export const noteChange = (): void => void (isChanging = true);

/**
 * The second click of a double click does nothing on a button or a switch if the first one has begun a
 * change: with it, the button may have become its reverse, as Hide becomes Show, or another one may have
 * moved to its place. Where nothing is changed, as in a calendar, every click counts. The browser counts the
 * clicks, by the speed that the person has set.
 */
export function ignoreSecondClicks(): void {
  const ignore = (event: MouseEvent) => {
    if (event.detail < 2) return void (isChanging = false);
    const target = event.target as Element;
    // The label of a switch hands its clicks on to it.
    const acts =
      target.closest('button, [role=switch]') ?? target.closest('label')?.querySelector('[role=switch]');
    if (!isChanging || !acts) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener('click', ignore, { capture: true });
}
