/**
 * The messenger's client, as far as a shop needs it. Phones and desktops are reached by a proxy in the
 * window, web clients by messages to the parent frame. What a client says comes by functions of the window,
 * or by messages. Methods that an older client does not know have no effect there.
 */
type Handler = (data: Record<string, unknown>) => void;

interface ClientWindow {
  TelegramWebviewProxy?: { postEvent(name: string, data: string): void };
  TelegramGameProxy?: object;
  TelegramGameProxy_receiveEvent?: object;
  Telegram?: object;
}

/** Undefined if the work throws: storage does in some frames, and what others wrote may be no JSON. */
export function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

const kept = () => attempt(() => sessionStorage.getItem('launch')) ?? '';
const fragment = location.hash.includes('tgWebAppData') ? location.hash.slice(1) : kept();
const params = new URLSearchParams(fragment);
if (params.has('tgWebAppData')) attempt(() => sessionStorage.setItem('launch', fragment));

const metaOf = (name: string) =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
const demo = metaOf('demo-shopper');
const initData = params.get('tgWebAppData') ?? demo;
const signed = new URLSearchParams(initData);

interface User {
  id?: number | string;
  username?: string;
  language_code?: string;
  allows_write_to_pm?: boolean;
}

/** What the messenger handed over when it opened the page. */
export const launch = {
  initData,
  isDemo: demo !== '' && !params.has('tgWebAppData'),
  user: attempt(() => JSON.parse(signed.get('user') ?? '{}') as User) ?? {},
  startParam: signed.get('start_param') ?? params.get('tgWebAppStartParam') ?? '',
  signedAt: Number(signed.get('auth_date')) * 1000,
  shop: metaOf('shop'),
  bot: metaOf('bot'),
};

const { window: page, parent } = globalThis as unknown as { window: Window & ClientWindow; parent: Window };
const handlers = new Map<string, Set<Handler>>();
const answered = new Set<() => void>();
let answers = false;

/** Whether a client has said anything: until then the page's own buttons take the place of the client's. */
export const clientAnswers = {
  get: () => answers,
  follow: (tell: () => void) => {
    answered.add(tell);
    return () => answered.delete(tell);
  },
};

export function post(name: string, data: object = {}): void {
  if (page.TelegramWebviewProxy) page.TelegramWebviewProxy.postEvent(name, JSON.stringify(data));
  // Nothing secret is ever sent, and frame-ancestors decides who may be the parent.
  else if (parent !== page) parent.postMessage(JSON.stringify({ eventType: name, eventData: data }), '*');
}

export function on(name: string, handler: Handler): () => void {
  const all = handlers.get(name) ?? new Set();
  handlers.set(name, all.add(handler));
  return () => all.delete(handler);
}

function receive(name: string, data: unknown): void {
  if (!answers) {
    answers = true;
    for (const tell of answered) tell();
  }
  const said = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>;
  for (const handler of handlers.get(name) ?? []) handler(said);
}

function listen(): void {
  page.TelegramGameProxy_receiveEvent = receive;
  page.TelegramGameProxy = { receiveEvent: receive };
  page.Telegram = { WebView: { receiveEvent: receive } };
  addEventListener('message', ({ source, data }) => {
    if (source !== parent || parent === page) return;
    const said = attempt(() => JSON.parse(String(data)) as { eventType?: string; eventData?: unknown });
    if (typeof said?.eventType === 'string') receive(said.eventType, said.eventData);
  });
}

const { style, dataset } = document.documentElement;

/** The client's colours; those of parts that it does not name follow from others in shop.css. */
function applyTheme(theme: Record<string, unknown>): void {
  for (const [name, colour] of Object.entries(theme))
    if (/^#[0-9a-f]{6}$/i.test(String(colour)))
      style.setProperty(`--tg-${name.replaceAll('_', '-')}`, String(colour));
  const background = style.getPropertyValue('--tg-bg-color');
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(background.slice(at, at + 2), 16));
  if (background) dataset.scheme = r * 0.299 + g * 0.587 + b * 0.114 < 128 ? 'dark' : 'light';
  post('web_app_set_header_color', { color_key: 'secondary_bg_color' });
  post('web_app_set_background_color', { color: style.getPropertyValue('--tg-secondary-bg-color') });
}

/** Two insets that add up: that of the device, and that of the client's own bars. */
function applyInset(kind: string, { top, bottom }: Record<string, unknown>): void {
  style.setProperty(`--${kind}-top`, `${Number(top) || 0}px`);
  style.setProperty(`--${kind}-bottom`, `${Number(bottom) || 0}px`);
}

export function begin(): void {
  listen();
  applyTheme(attempt(() => JSON.parse(params.get('tgWebAppThemeParams') ?? '{}') as object) as never);
  on('theme_changed', ({ theme_params }) => applyTheme((theme_params ?? {}) as Record<string, unknown>));
  on('safe_area_changed', (inset) => applyInset('safe', inset));
  on('content_safe_area_changed', (inset) => applyInset('content', inset));
  on('reload_iframe', () => location.reload());
  post('iframe_ready', { reload_supported: true });
  post('web_app_ready');
  post('web_app_expand');
  // A page is scrolled, never swiped away.
  post('web_app_setup_swipe_behavior', { allow_vertical_swipe: false });
  for (const what of ['viewport', 'safe_area', 'content_safe_area']) post(`web_app_request_${what}`);
}

interface MainButton {
  text: string;
  isBusy: boolean;
  isActive: boolean;
}

export function showMainButton(button: MainButton | null): void {
  const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  post('web_app_setup_main_button', {
    is_visible: button !== null,
    ...(button && {
      ...{
        text: button.text,
        is_active: button.isActive && !button.isBusy,
        is_progress_visible: button.isBusy,
      },
      ...{ color: colour('--button'), text_color: colour('--on-button') },
    }),
  });
}

export const showBackButton = (is_visible: boolean) => post('web_app_setup_back_button', { is_visible });
export const confirmClosing = (need_confirmation: boolean) =>
  post('web_app_setup_closing_behavior', { need_confirmation });
export const vibrate = (notification_type: 'success' | 'error') =>
  post('web_app_trigger_haptic_feedback', { type: 'notification', notification_type });
export const close = () => post('web_app_close');

/** Opens an address of the messenger: in its client, or by the browser where there is none. */
export function openInMessenger(address: string): void {
  const { pathname, search } = new URL(address);
  if (answers) post('web_app_open_tg_link', { path_full: pathname + search });
  else open(address, '_blank', 'noopener');
}

export function openLink(url: string): void {
  if (answers) post('web_app_open_link', { url });
  else open(url, '_blank', 'noopener');
}

/** Opens an invoice. What the client says of it afterwards is a hint only: the order's own state counts. */
export function openInvoice(url: string): void {
  const [, slug] = /t\.me\/(?:\$|invoice\/)([\w-]+)/.exec(url) ?? [];
  if (answers && slug) post('web_app_open_invoice', { slug });
  else open(url, '_blank', 'noopener');
}

let requests = 0;
/** Calls a method of the messenger's cloud; undefined if there is no answer within 3 s. */
export function askCloud(method: string, params: object): Promise<unknown> {
  if (!answers) return Promise.resolve(undefined);
  const req_id = `shop-${++requests}`;
  return new Promise((resolve) => {
    const stop = on('custom_method_invoked', (said) => {
      if (said.req_id === req_id) finish(said.result);
    });
    const timer = setTimeout(() => finish(undefined), 3_000);
    function finish(result: unknown) {
      stop();
      clearTimeout(timer);
      resolve(result);
    }
    post('web_app_invoke_custom_method', { req_id, method, params });
  });
}
