import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { clientAnswers, on, showBackButton, showMainButton } from './client';
import { addressOf, back, go, useCell } from './state';
import { words } from './words';

interface LinkProps {
  to: string;
  class?: string;
  label?: string;
  children: ComponentChildren;
}

/** A link within the shop: a new tab opens it too. */
export function Link({ to, label, children, ...rest }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(to);
  };
  const href = addressOf(to) + location.search + location.hash;
  return (
    <a href={href} onClick={follow} aria-label={label} {...rest}>
      {children}
    </a>
  );
}

interface MainActionProps {
  text: string;
  isBusy?: boolean;
  isActive?: boolean;
  onPress: () => void;
}

/** What the page is for: the client's own main button, or a bar where no client answers. */
export function MainAction({ text, isBusy = false, isActive = true, onPress }: MainActionProps) {
  const isClients = useCell(clientAnswers);
  const press = useRef(onPress);
  press.current = onPress;
  useEffect(() => {
    if (isClients) showMainButton({ text, isBusy, isActive });
  }, [isClients, text, isBusy, isActive]);
  useEffect(() => {
    if (!isClients) return;
    const stop = on('main_button_pressed', () => press.current());
    return () => {
      stop();
      showMainButton(null);
    };
  }, [isClients]);
  if (isClients) return null;
  return (
    <footer class="bar">
      <button
        type="button"
        class="button"
        disabled={isBusy || !isActive}
        aria-busy={isBusy}
        onClick={onPress}
      >
        {text}
      </button>
    </footer>
  );
}

export function BackAction() {
  const isClients = useCell(clientAnswers);
  useEffect(() => {
    if (!isClients) return;
    showBackButton(true);
    const stop = on('back_button_pressed', back);
    return () => {
      stop();
      showBackButton(false);
    };
  }, [isClients]);
  if (isClients) return null;
  return (
    <nav>
      <button type="button" class="back" onClick={back}>
        ‹ {words.back}
      </button>
    </nav>
  );
}
