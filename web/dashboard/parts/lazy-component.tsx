import { type ComponentType, type ReactNode, startTransition, useEffect, useState } from 'react';
import { fetchedWithWords } from '../api/code';
import { painted } from '../painted';
import { openersOf } from './openers';
import { Problem } from './problem';

/** By then a phone has drawn the page and fetches nothing else. */
const SETTLED_MS = 2_000;

/**
 * Wraps a component that the page does not need at first: a dialog, the palette, a tooltip. Its code is
 * fetched once the page is drawn, so that it is available when somebody opens it, even if the connection was
 * lost in between. If it is opened earlier, it is fetched then; if that fails, the page stays, and it may be
 * tried again.
 * @param meanwhile what is drawn in its place until then
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: (props: Props) => ReactNode = () => null,
): ComponentType<Props> {
  let found: ComponentType<Props> | undefined;
  const find = async () => (found ??= await fetchedWithWords(load));
  setTimeout(() => void find().catch(() => undefined), SETTLED_MS);
  return function Later(props) {
    const [Component, show] = useState(() => found);
    const [error, setError] = useState<Error>();
    const open = () => {
      setError(undefined);
      // After what surrounds it, and in slices of a few milliseconds, so that a phone stays responsive while
      // a form appears.
      void painted()
        .then(find)
        .then((component) => startTransition(() => show(() => component)), setError);
    };
    const [opener] = useState(() => openersOf(document.activeElement).at(0));
    useEffect(() => {
      // Not `found`: the code may have come since this was drawn without it.
      if (Component) return;
      // The menu that this was chosen from closes meanwhile: its button is where the focus returns to.
      opener?.focus({ preventScroll: true });
      open();
    }, []);
    if (Component) return <Component {...props} />;
    return (
      <>
        {meanwhile(props)}
        {error && (
          <div className="over">
            <Problem error={error} retry={open} />
          </div>
        )}
      </>
    );
  };
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
