import { createTheme, type CSSVariablesResolver, type MantineColorsTuple, rem } from '@mantine/core';
import { words } from './words';

// prettier-ignore
const indigo: MantineColorsTuple = [
  '#eef0ff', '#dcdffb', '#b6baf1', '#8e94e8', '#6c73e0', '#565fdb', '#4a53d9', '#3b45c1', '#333dad',
  '#293499',
];

/** In the hue of the pages' own greys (app.css), from the lightest to the darkest. */
// prettier-ignore
const dark: MantineColorsTuple = [
  '#dde0e7', '#c1c6cf', '#a2a8b4', '#8b92a0', '#3b404b', '#2d313a', '#24272f', '#1b1d23', '#16181d',
  '#121318',
];

/** Mantine's close buttons have no name for screen readers, and its dialogs contain a second banner. */
const dialogProps = () => ({
  closeButtonProps: { 'aria-label': words.common.close },
  attributes: { header: { role: 'presentation' } },
});

/** Created after the texts are loaded. */
export const appTheme = () =>
  createTheme({
    primaryColor: 'indigo',
    primaryShade: { light: 7, dark: 5 },
    colors: { indigo, dark },
    defaultRadius: 'md',
    respectReducedMotion: true,
    fontFamily: 'Onest, "Onest fallback", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
    headings: {
      fontWeight: '650',
      sizes: { h1: { fontSize: rem(24) }, h2: { fontSize: rem(17) }, h3: { fontSize: rem(15) } },
    },
    // By name, and not by `Modal.extend`, because everything that the theme imports becomes part of every
    // page.
    components: {
      Modal: { defaultProps: dialogProps() },
      Drawer: { defaultProps: dialogProps() },
      PasswordInput: {
        defaultProps: { visibilityToggleButtonProps: { 'aria-label': words.signIn.showPassword } },
      },
      Notification: { defaultProps: { closeButtonProps: { 'aria-label': words.common.close } } },
    },
  });

const ours = {
  '--mantine-color-dimmed': 'var(--quiet)',
  '--mantine-color-placeholder': 'var(--quiet)',
  '--mantine-color-body': 'var(--card)',
};

/** Mantine's own dimmed, error and placeholder colours have a contrast below 4.5:1. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: { ...ours, '--mantine-color-error': '#c92a2a' },
  dark: { ...ours, '--mantine-color-error': '#ff8787', '--mantine-color-anchor': '#a5acf5' },
});
