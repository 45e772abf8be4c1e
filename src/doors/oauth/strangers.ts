import type { KoaContextWithOIDC } from 'oidc-provider';
import { parseUrl } from '../../platform/text/url.js';
import { pageHeaders } from './page-headers.js';
import { errorPage } from './pages.js';
import type { ProviderParts } from './provider.js';

/**
 * Nobody has signed in when an app's first request is answered, so a refusal of it does not send the browser to
 * an app that nobody has approved: a link to this service would lead to any site (RFC 9700 §4.11.2). A page
 * names the site instead.
 */
export function keepFromStrangers({ baseUrl, isApproved }: Pick<ProviderParts, 'baseUrl' | 'isApproved'>) {
  const { origin } = new URL(baseUrl);
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>) => {
    await next();
    if (ctx.oidc?.route !== 'authorization') return;
    const location = ctx.response.get('Location');
    if (location ? new URL(location, baseUrl).origin === origin : !isForm(ctx)) return;
    const { client_id: clientId, redirect_uri: redirectUri } = ctx.oidc.params as Record<string, string>;
    if (await isApproved(String(clientId))) return;
    const to = location || redirectUri;
    ctx.remove('Location');
    ctx.set(pageHeaders());
    ctx.status = 400;
    ctx.type = 'html';
    ctx.body = errorPage(
      `The request cannot be granted. The app wants your browser to go on to ${hostOf(to)}, which nobody here ` +
        'has approved, so it was not sent there.',
    );
  };
}

/** A page that sends a form to the app by itself. */
const isForm = ({ oidc, response }: KoaContextWithOIDC) =>
  oidc.params?.response_mode === 'form_post' && response.is('html') !== false && response.status === 200;

function hostOf(address: string): string {
  const url = parseUrl(address);
  return url === null ? 'another site' : url.host || url.protocol;
}
