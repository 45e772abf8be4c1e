import type { Browser, Page } from '@playwright/test';
import { signInitData } from '../../doors/storefront/mini-app.js';
import { run, SERVICE, STORE } from '../support.js';

export const TOKEN = `712345678:${'A'.repeat(35)}`;
/** Themes in which every text has contrast enough, so that what axe finds is the shop's own. */
export const THEMES = {
  light: {
    ...{ bg_color: '#ffffff', text_color: '#000000', link_color: '#00488f', button_color: '#00538f' },
    ...{ button_text_color: '#ffffff', secondary_bg_color: '#f4f4f7', section_bg_color: '#ffffff' },
  },
  dark: {
    ...{ bg_color: '#17212b', text_color: '#f5f5f5', link_color: '#8ac4ff', button_color: '#8ac4ff' },
    ...{ button_text_color: '#0e1621', secondary_bg_color: '#0e1621', section_bg_color: '#17212b' },
    destructive_text_color: '#ff9a94',
  },
};

interface Opening {
  id?: string;
  language?: string;
  startParam?: string;
  at?: Date;
  token?: string;
  theme?: keyof typeof THEMES;
}

export const shopOf = (path = '', store = STORE()) => `${SERVICE()}/shop/${store}${path}`;

/** Connects a bot to the demo store, whose shop then opens in the messenger too. */
export async function connectBot(browser: Browser): Promise<void> {
  const context = await browser.newContext({ storageState: process.env.WEB_STATE, baseURL: SERVICE() });
  await run(context.request, 'connect_bot', { token: TOKEN });
  await context.close();
}

/** The fragment with which the messenger opens a Mini App. */
export function launchOf({
  id = '7001',
  language = 'en',
  startParam,
  at,
  token = TOKEN,
  theme = 'light',
}: Opening = {}): string {
  const user = `{"id":${id},"first_name":"Olena","username":"olena","language_code":"${language}"}`;
  const initData = signInitData({ id }, { token, userText: user, startParam, at });
  return `#${new URLSearchParams({
    ...{ tgWebAppData: initData, tgWebAppVersion: '9.1', tgWebAppPlatform: 'ios' },
    tgWebAppThemeParams: JSON.stringify(THEMES[theme]),
  })}`;
}

interface ClientWindow {
  TelegramWebviewProxy: object;
  TelegramGameProxy_receiveEvent(name: string, data?: object): void;
  said: [string, Record<string, any>][];
  name: string;
}

/** What a client on a phone puts into the page: it notes what it is told, and answers as clients do. */
export const asOnAPhone = (page: Page) =>
  page.addInitScript(() => {
    const client = globalThis as unknown as ClientWindow;
    const cloud = JSON.parse(client.name || '{}') as Record<string, string>;
    client.said = [];
    const tell = (name: string, data: object) =>
      queueMicrotask(() => client.TelegramGameProxy_receiveEvent(name, data));
    client.TelegramWebviewProxy = {
      postEvent(name: string, json: string) {
        const data = JSON.parse(json) as Record<string, any>;
        client.said.push([name, data]);
        if (name === 'web_app_request_viewport') tell('viewport_changed', { height: 844, is_expanded: true });
        if (name === 'web_app_request_safe_area') tell('safe_area_changed', { top: 20, bottom: 34 });
        if (name !== 'web_app_invoke_custom_method') return;
        const { method, params, req_id } = data;
        if (method === 'saveStorageValue') cloud[params.key as string] = params.value as string;
        client.name = JSON.stringify(cloud);
        tell('custom_method_invoked', {
          req_id,
          result: method === 'getStorageValues' ? { ...cloud } : true,
        });
      },
    };
  });

/** What the client was told last under a name. */
export const told = (page: Page, name: string) =>
  page.evaluate(
    (wanted) =>
      (globalThis as unknown as ClientWindow).said.findLast(([said]) => said === wanted)?.[1] ?? null,
    name,
  );

export const tell = (page: Page, name: string, data: object = {}) =>
  page.evaluate(
    ([event, given]) =>
      (globalThis as unknown as ClientWindow).TelegramGameProxy_receiveEvent(
        event as string,
        given as object,
      ),
    [name, data] as const,
  );
