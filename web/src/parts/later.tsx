import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';

/** By then a phone has drawn the page and fetches nothing else. */
const SETTLED_MS = 2_000;

let ahead = 0;
/** Whether a component is being fetched before it is needed. If that fails, nothing is missing yet. */
export const isFetchedAhead = () => ahead > 0;

/**
 * Wraps a component that the page does not need at first: a dialog, the palette, a tooltip. Its code is
 * fetched once the page is drawn, so that it is available when somebody opens it, even if the connection was
 * lost in between. If it is opened earlier, it is fetched then.
 * @param meanwhile what is drawn in its place until then
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: (props: Props) => ReactNode = () => null,
): ComponentType<Props> {
  const Lazy = lazy(async () => ({ default: (await load()) as ComponentType<object> }));
  setTimeout(() => {
    ahead++;
    load()
      .catch(() => undefined)
      .finally(() => ahead--);
  }, SETTLED_MS);
  return (props) => (
    <Suspense fallback={meanwhile(props)}>
      <Lazy {...props} />
    </Suspense>
  );
}

/**
 * False until the condition is true for the first time, and true from then on. What was opened stays mounted,
 * so that its closing is animated too.
 */
export function useOnce(condition: boolean): boolean {
  const [was, setWas] = useState(condition);
  if (condition && !was) setWas(true);
  return was || condition;
}
