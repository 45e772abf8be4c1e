import {
  type AriaAttributes,
  cloneElement,
  type ComponentType,
  type DOMAttributes,
  type ReactElement,
  type ReactNode,
  useState,
} from 'react';
import { later } from './later';
import type { OpenMenuProps } from './open-menu';

/** A component that draws an `OpenMenu`, fetched as dialogs are: a menu's code is more than that of the page round it. */
export const laterMenu = <Props extends OpenMenuProps>(load: () => Promise<ComponentType<Props>>) =>
  later(load, ({ button }) => button);

interface Props {
  button: ReactElement;
  /** Draws the menu round the button. */
  menu: (button: ReactElement) => ReactNode;
}

/** A button with a menu. */
export function MenuButton({ button, menu }: Props) {
  const [isWanted, setWanted] = useState(false);
  if (isWanted) return menu(button);
  return cloneElement(button as ReactElement<DOMAttributes<HTMLElement> & AriaAttributes>, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => setWanted(true),
  });
}
