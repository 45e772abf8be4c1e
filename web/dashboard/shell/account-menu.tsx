import { Kbd, Menu, useMantineColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useGo } from '../address';
import { useChange } from '../api/change';
import { useStore } from '../api/store';
import { queryClient } from '../api/queries';
import { forgetUnsaved, mayLoseAll } from '../parts/forms/unsaved';
import { ExitIcon, MoonIcon } from '../parts/icons';
import { OpenMenu, type OpenMenuProps } from '../parts/menus/open-menu';
import { hasSound, setSound } from '../notify';
import { chooseLanguage, type Language, LANGUAGES } from '../words';
import { words } from '../words/all';
import { showKeys } from './keys';

const SCHEMES = ['auto', 'light', 'dark'] as const;

/** The menu for the appearance, the list of keys, and signing out. */
export function AccountMenu({ button }: OpenMenuProps) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const navigate = useNavigate();
  const go = useGo();
  const { groups } = useStore();
  const [isLoud, setLoud] = useState(hasSound);
  const toggleSound = () => {
    setSound(!isLoud);
    setLoud(!isLoud);
  };
  const names = {
    auto: words.accountMenu.asSystem,
    light: words.accountMenu.light,
    dark: words.accountMenu.dark,
  };
  const signOut = useChange('POST auth/sign-out', {
    onDone: () => {
      forgetUnsaved();
      queryClient.clear();
      void navigate({ to: '/sign-in' });
    },
  });
  return (
    <OpenMenu button={button} position="bottom-end">
      <Menu.Label>{words.accountMenu.appearance}</Menu.Label>
      {SCHEMES.map((scheme) => (
        <Menu.Item
          key={scheme}
          leftSection={<MoonIcon size={16} />}
          aria-current={scheme === colorScheme}
          fw={scheme === colorScheme ? 600 : 400}
          onClick={() => setColorScheme(scheme)}
        >
          {names[scheme]}
        </Menu.Item>
      ))}
      <Menu.Label>{words.accountMenu.language}</Menu.Label>
      {Object.entries(LANGUAGES).map(([tag, name]) => (
        <Menu.Item key={tag} lang={tag} onClick={() => chooseLanguage(tag as Language)}>
          {name}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item
        rightSection={isLoud ? words.accountMenu.on : words.accountMenu.off}
        closeMenuOnClick={false}
        onClick={toggleSound}
      >
        {words.accountMenu.sound}
      </Menu.Item>
      {(groups === null || groups.includes('orders')) && (
        <Menu.Item onClick={() => go('notices')}>{words.pages.notices}</Menu.Item>
      )}
      <Menu.Item rightSection={<Kbd size="xs">?</Kbd>} onClick={showKeys}>
        {words.accountMenu.keys}
      </Menu.Item>
      <Menu.Item leftSection={<ExitIcon size={16} />} onClick={() => mayLoseAll() && void signOut.make({})}>
        {words.accountMenu.signOut}
      </Menu.Item>
    </OpenMenu>
  );
}
