import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';

/** A phone has drawn the page by then, and fetches nothing else. */
const SETTLED_MS = 2_000;

let ahead = 0;
/** Whether something is being fetched that nobody has asked for yet: when that fails, nothing is missing. */
export const isFetchedAhead = () => ahead > 0;

/**
 * A component that no page needs to be drawn: a dialog, the palette, a tooltip. Its code is fetched when the page stands, so that it is
 * there once somebody opens it, also when the connection is lost meanwhile; earlier if it is opened before.
 * @param meanwhile what stands in its place until then
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

/** False until a condition first holds, and true from then on: what is opened stays there, to close as it came. */
export function useOnce(condition: boolean): boolean {
  const [was, setWas] = useState(condition);
  if (condition && !was) setWas(true);
  return was || condition;
}
