import {
  type AriaAttributes,
  cloneElement,
  type ComponentType,
  type DOMAttributes,
  type ReactElement,
  type ReactNode,
  useState,
} from 'react';
import { later } from '../lazy-component';
import type { OpenMenuProps } from './open-menu';

/**
 * Wraps a component that draws an `OpenMenu`. It is fetched later, like dialogs, because a menu's code is
 * larger than the page around it.
 */
export const laterMenu = <Props extends OpenMenuProps>(load: () => Promise<ComponentType<Props>>) =>
  later(load, ({ button }) => button);

interface Props {
  button: ReactElement;
  /** What the button opens. Default: a menu. */
  opens?: 'menu' | 'dialog';
  /** Draws the menu around the button. */
  menu: (button: ReactElement) => ReactNode;
}

/** A button that opens a menu, or a small form over the page. */
export function MenuButton({ button, opens = 'menu', menu }: Props) {
  const [isWanted, setWanted] = useState(false);
  if (isWanted) return menu(button);
  return cloneElement(button as ReactElement<DOMAttributes<HTMLElement> & AriaAttributes>, {
    'aria-haspopup': opens,
    'aria-expanded': false,
    onClick: () => setWanted(true),
  });
}
