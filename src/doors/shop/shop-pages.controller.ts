import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { BotCredentials } from '../../groups/bot/bot-credentials.service.js';
import { DemoShopper } from '../../groups/bot/demo-shopper.service.js';
import { Settings } from '../../groups/settings/settings.service.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { noSuchStore, OperationError } from '../../platform/errors.js';
import { sendPublic } from '../../platform/http/compression.js';
import { hashIn } from '../../platform/http/document-headers.js';
import { BudgetGuard } from '../../platform/rate-limit/budget.guard.js';
import { StoreDatabase } from '../../platform/store/store-context.js';
import { accentOf, textOn } from '../../stores/store-profile.js';
import { type Store, Stores } from '../../stores/stores.service.js';
import { A_YEAR, BUILT, readFiles, sendFile, type ServedFile } from '../pages/files.js';

/** The messenger's web clients show the shop in a frame; the others in a view, which has no ancestor. */
const FRAMED_BY = 'https://web.telegram.org https://*.telegram.org';
const NOT_BUILT =
  '<!doctype html><html lang="en"><title>Shop</title><p>The shop is not built: npm run build.';

interface Built {
  html: string;
  /** The hash of the script in the document, as the policy names it. */
  script: string;
  assets: Map<string, ServedFile>;
}

/**
 * The shop that shoppers see in the messenger (docs/behaviour.md §17). The document tells nothing of the
 * store but its name, colour and bot: everything else is asked for by the shopper who is signed in its
 * fragment.
 */
@Controller('shop')
export class ShopPagesController {
  private built?: Built;
  private readonly pictures: string;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly stores: Stores,
    private readonly database: StoreDatabase,
    private readonly settings: Settings,
    private readonly credentials: BotCredentials,
    private readonly budgets: BudgetGuard,
    private readonly demo: DemoShopper,
  ) {
    this.pictures = new URL(config.uploads?.publicUrl ?? config.baseUrl).origin;
  }

  /** A file of an older build is answered with 404, never with the page. */
  @Get('assets/:file')
  asset(@Param('file') name: string, @Req() request: Request, @Res() response: Response): void {
    const file = this.files().assets.get(name);
    if (!file) throw new OperationError('not_found', 'There is no such file');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    sendFile(file, request, response, A_YEAR);
  }

  @Get([':storeId', ':storeId/*address'])
  async page(@Param('storeId') storeId: string, @Req() request: Request, @Res() response: Response) {
    const store = await this.storeOf(storeId, request);
    const demo = this.demo.initData(store.id, request);
    const { name, bot, accent } = await this.about(store);
    if (bot === null && demo === null) throw await this.refuse(request);
    const { html, script } = this.files();
    const shown = [
      ['shop', name],
      ['bot', bot ?? ''],
      ['accent', accent === null ? '' : `${accent} ${textOn(accent)}`],
      ['demo-shopper', demo ?? ''],
    ].reduce(
      (text, [meta, value]) =>
        text.replace(`name="${meta}" content=""`, () => `name="${meta}" content="${escaped(value)}"`),
      html.replace('<title>Shop<', () => `<title>${escaped(name)}<`),
    );
    const tag = `"${createHash('sha256').update(shown).digest('base64url').slice(0, 22)}"`;
    response.set({
      'Content-Security-Policy': policy(script, this.pictures),
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
      // Clients keep documents for long: they ask whether it is still the same.
      'Cache-Control': demo === null ? 'no-cache' : 'no-store',
      ETag: tag,
    });
    if (request.headers['if-none-match'] === tag) return void response.status(304).end();
    response.type('text/html');
    await sendPublic(response, shown);
  }

  private async storeOf(storeId: string, request: Request): Promise<Store> {
    try {
      return await this.stores.get(storeId);
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      throw await this.refuse(request);
    }
  }

  /** Refused calls are limited by address. */
  private async refuse({ call }: Request): Promise<OperationError> {
    await this.budgets.spendRefusedToken(call);
    return noSuchStore();
  }

  private about(store: Store): Promise<{ name: string; bot: string | null; accent: string | null }> {
    const actor = { kind: 'system', id: null, name: 'shop' } as const;
    return this.database.inStore({ storeId: store.id, currency: store.currency, actor }, async (ctx) => {
      const [{ title, name }, bot, accent] = await Promise.all([
        this.settings.get(ctx),
        this.credentials.find(ctx),
        accentOf(ctx),
      ]);
      return { name: title || name, bot: bot?.username ?? null, accent };
    });
  }

  private files(): Built {
    return (this.built ??= read(this.config.baseUrl, path.join(BUILT, 'shop')));
  }
}

const policy = (script: string, pictures: string) =>
  [
    "default-src 'none'",
    `script-src 'self' ${script}`.trim(),
    "style-src 'self'",
    `img-src 'self' https: data: ${pictures}`,
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'self'",
    `frame-ancestors ${FRAMED_BY}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => ESCAPED[character]);

function read(baseUrl: string, folder: string): Built {
  const file = path.join(folder, 'index.html');
  if (!existsSync(file)) return { html: NOT_BUILT, script: '', assets: new Map() };
  // The service may run below a path of its address. Everything in the document is relative to this base.
  const base = `${new URL(baseUrl).pathname.replace(/\/$/, '')}/shop/`;
  const html = readFileSync(file, 'utf8').replace('<base href="/shop/"', `<base href="${base}"`);
  return { html, script: hashIn(html, 'script'), assets: readFiles(path.join(folder, 'assets')) };
}
