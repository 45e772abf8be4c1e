import {
  Controller,
  Get,
  HttpCode,
  Inject,
  Param,
  Post,
  Req,
  Res,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { refusalOf, forbidden, invalidInput, type OperationError } from '../../platform/errors.js';
import { addressOf } from '../../platform/config/store-address.js';
import { BudgetGuard } from '../../platform/rate-limit/budget.guard.js';
import { isUuid } from '../../platform/schema/formats.js';
import { Sessions, type Session } from '../../people/sign-in/sessions.service.js';
import { SignIn } from '../../people/sign-in/sign-in.service.js';
import { Cookies } from '../dashboard/cookies.js';
import { AllowedHostGuard } from '../mcp/allowed-host.guard.js';
import { Consents, type Asked } from './consents.service.js';
import { formText, type LibraryRequest, libraryRequest } from './library-request.js';
import { type LimitFields, limitFieldsOf } from './limits-form.js';
import { OauthErrorFilter } from './oauth-error.filter.js';
import { pageHeaders } from './pages/page-headers.js';
import { consentPage, continuePage, signInPage } from './pages/pages.js';

/**
 * The pages on which a person signs in and decides about an app: two forms without scripts. They are below
 * /dashboard, because the session cookie may be limited to that path. The library's cookies bind the request
 * to this browser; the session cookie's SameSite and the check of Origin keep other sites out.
 */
@Controller('dashboard/connect/:uid')
@UseGuards(AllowedHostGuard)
@UseFilters(OauthErrorFilter)
export class ConnectController {
  private readonly origin: string;
  private readonly prefix: string;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly consents: Consents,
    private readonly sessions: Sessions,
    private readonly people: SignIn,
    private readonly cookies: Cookies,
    private readonly budgets: BudgetGuard,
  ) {
    const { origin, pathname } = new URL(config.baseUrl);
    [this.origin, this.prefix] = [origin, pathname.replace(/\/$/, '')];
  }

  @Get()
  async show(@Req() request: Request, @Res() response: Response, @Param('uid') uid: string): Promise<void> {
    await this.spend(request);
    const asked = await this.consents.asked(this.inner(request), response, uid);
    const session = await this.sessionOf(request);
    const path = this.pathOf(uid);
    if (session) return this.send(response, 200, await this.consentPage(asked, session, path));
    // With SameSite=Strict a browser that comes from another site does not send the session cookie. It does
    // after a step on this site.
    const isFromElsewhere = request.headers['sec-fetch-site'] === 'cross-site';
    this.send(
      response,
      200,
      isFromElsewhere ? continuePage(path) : signInPage({ path, appName: asked.appName }),
    );
  }

  @Post('sign-in')
  @HttpCode(200)
  async signIn(@Req() request: Request, @Res() response: Response, @Param('uid') uid: string): Promise<void> {
    const form = await this.formOf(request);
    const { appName } = await this.consents.asked(this.inner(request), response, uid);
    const [email, password, code] = ['email', 'password', 'code'].map((name) => form.get(name) ?? '');
    const again = (problem: string, status: number, field: 'password' | 'code' = 'password') =>
      this.send(response, status, signInPage({ path: this.pathOf(uid), appName, email, problem, field }));
    try {
      const visitor = this.cookies.visitorOf(request.call);
      const account = await this.people.identify(visitor, {
        email,
        password,
        ...(code.trim() === '' ? {} : { code }),
      });
      if (account === 'code required')
        return again('This account has a second factor: give its code, and the password again.', 401, 'code');
      const replaced = this.cookies.sessionOf(request.call);
      if (replaced !== null) await this.sessions.end(replaced);
      this.cookies.signIn(request.call, await this.people.open(visitor, account));
    } catch (error) {
      const refusal = refusalOf(error);
      return again(refusal.message, refusal.status);
    }
    this.goTo(response, this.pathOf(uid));
  }

  @Post('sign-out')
  async signOut(
    @Req() request: Request,
    @Res() response: Response,
    @Param('uid') uid: string,
  ): Promise<void> {
    const form = await this.formOf(request);
    const session = await this.sessionOf(request);
    if (session) {
      this.consents.checkForm(uid, session, form.get('csrf'));
      await this.sessions.endById(session.userId, session.id);
      this.cookies.signOut(request.call);
    }
    this.goTo(response, this.pathOf(uid));
  }

  @Post()
  @HttpCode(200)
  async decide(@Req() request: Request, @Res() response: Response, @Param('uid') uid: string): Promise<void> {
    const form = await this.formOf(request);
    const inner = this.inner(request);
    const asked = await this.consents.asked(inner, response, uid);
    const session = await this.sessionOf(request);
    if (!session) return this.goTo(response, this.pathOf(uid));
    this.consents.checkForm(uid, session, form.get('csrf'));
    if (form.get('decision') !== 'allow') return this.consents.deny(inner, response);
    const [storeId, scope] = [form.get('store') ?? '', form.get('scope') ?? ''];
    const limits = limitFieldsOf(form);
    const again = async (problem: string, status = 400) =>
      this.send(response, status, await this.consentPage(asked, session, this.pathOf(uid), problem, limits));
    if (!isUuid(storeId)) return again('Choose the store that the app is to see.');
    if (scope === 'admin') {
      const problem = await this.refusedProof(request, session, form);
      if (problem) return again(problem.message, problem.status);
    }
    const chosen = form.getAll('groups').filter((name) => name !== '');
    // The page always sends the field, also if nothing is checked.
    const groups = form.has('groups') ? chosen : null;
    if (groups?.length === 0) return again('Choose at least one thing that the app may work with.');
    const { requestId } = request.call;
    try {
      await this.consents.allow(inner, response, asked, {
        ...{ session, storeId, scope, groups, limits, requestId },
        asksFirst: form.has('askFirst'),
      });
    } catch (error) {
      const refusal = refusalOf(error);
      return again(refusal.message, refusal.status);
    }
  }

  /** Access of scope admin asks for the password or a code once more (docs/behaviour.md §10). */
  private async refusedProof(
    { call }: Request,
    session: Session,
    form: URLSearchParams,
  ): Promise<OperationError | null> {
    const [currentPassword, code] = ['currentPassword', 'code'].map((name) => form.get(name) || undefined);
    if (currentPassword === undefined && code === undefined)
      return invalidInput('To allow everything, give your password or a code once more.');
    const proof = currentPassword === undefined ? { code } : { currentPassword };
    try {
      await this.people.confirm(this.cookies.visitorOf(call), session, proof);
      return null;
    } catch (error) {
      return refusalOf(error);
    }
  }

  private async consentPage(
    asked: Asked,
    session: Session,
    path: string,
    problem?: string,
    given?: LimitFields,
  ): Promise<string> {
    const choices = await this.consents.choices(asked, session);
    const limits = given ?? choices.limits;
    const csrf = this.consents.formSecret(asked.uid, session);
    return consentPage({ ...asked, path, csrf, email: session.email, ...choices, problem, limits });
  }

  /**
   * @throws OperationError forbidden for a form of another site, invalid_input for a body that is not a form
   */
  private async formOf(request: Request): Promise<URLSearchParams> {
    await this.spend(request);
    if (request.headers.origin !== this.origin)
      throw forbidden(`This form is taken from ${this.origin} only`);
    const text = await formText(request, 'groups');
    if (text === null) throw invalidInput('The body must be a form of at most 16 KiB');
    return new URLSearchParams(text);
  }

  /** @throws OperationError rate_limited */
  private spend({ call }: Request): Promise<void> {
    return this.budgets.spendAddress(call, 'oauth-connect', 'steps of connecting an app');
  }

  private async sessionOf({ call }: Request): Promise<Session | null> {
    const token = this.cookies.sessionOf(call);
    return token === null ? null : ((await this.sessions.find(token, null))?.session ?? null);
  }

  private inner(request: Request): LibraryRequest {
    return libraryRequest(request, addressOf(this.config, request.headers.host));
  }

  private pathOf(uid: string): string {
    return `${this.prefix}/dashboard/connect/${encodeURIComponent(uid)}`;
  }

  private goTo(response: Response, path: string): void {
    response.set(pageHeaders());
    response.redirect(303, path);
  }

  private send(response: Response, status: number, page: string): void {
    response.set(pageHeaders());
    response.status(status).type('html').send(page);
  }
}
