import { Menu, type MenuProps } from '@mantine/core';
import { cloneElement, type ReactElement, type RefAttributes, useEffect, useRef, useState } from 'react';

export interface OpenMenuProps {
  button: ReactElement;
}

/**
 * For what is open when it is first drawn. It replaces the button that was pressed and takes over its focus.
 */
export function useOpened() {
  const target = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    target.current?.focus();
    setOpened(true);
  }, []);
  return { target, opened, setOpened };
}

/** A menu that is open when it is first drawn. */
export function OpenMenu({ button, children, ...props }: OpenMenuProps & MenuProps) {
  const { target, opened, setOpened } = useOpened();
  return (
    <Menu opened={opened} onChange={setOpened} {...props}>
      <Menu.Target>
        {cloneElement(button as ReactElement<RefAttributes<HTMLButtonElement>>, { ref: target })}
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
