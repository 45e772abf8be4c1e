/**
 * The second click of a double click does nothing on a button or a switch: with the first one it may have
 * become its reverse, as Hide becomes Show, or another button may have moved to its place. The browser counts
 * the clicks, by the speed that the person has set.
 */
export function ignoreSecondClicks(): void {
  const ignore = (event: MouseEvent) => {
    const target = event.target as Element;
    // The label of a switch hands its clicks on to it.
    const acts =
      target.closest('button, [role=switch]') ?? target.closest('label')?.querySelector('[role=switch]');
    if (event.detail < 2 || !acts) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener('click', ignore, { capture: true });
}
