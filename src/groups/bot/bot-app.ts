/** What the buttons of a bot open: the service's shop, an app of the owner's, or nothing. */
export const OPENS = ['shop', 'app', 'nothing'] as const;
export type Opens = (typeof OPENS)[number];

/** How the setting of the menu button went; `other`: it opens somebody else's app, and was left. */
export const MENU_BUTTONS = ['set', 'other', 'failed', 'not_https'] as const;
export type MenuButtonState = (typeof MENU_BUTTONS)[number];
