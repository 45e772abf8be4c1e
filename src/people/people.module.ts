import { Global, Module } from '@nestjs/common';
import { Metrics } from '../platform/observability/metrics.js';
import { Accounts } from './accounts/accounts.service.js';
import { AdminAccess } from './members/admin-access.service.js';
import { Apps } from './apps/apps.service.js';
import { Attempts } from './sign-in/attempts.service.js';
import { Connections } from './apps/connections.service.js';
import { Invitations } from './members/invitations.service.js';
import { Joining } from './members/joining.service.js';
import { KnownBrowsers } from './sign-in/known-browsers.service.js';
import { Mailer } from './accounts/mailer.service.js';
import { Members } from './members/members.service.js';
import { OwnerNews } from './members/owner-alerts.service.js';
import { PasswordResets } from './accounts/password-resets.service.js';
import { SecondFactor } from './accounts/second-factor.service.js';
import { Sessions } from './sign-in/sessions.service.js';
import { SignIn } from './sign-in/sign-in.service.js';

const SERVICES = [
  Accounts,
  AdminAccess,
  Apps,
  Attempts,
  Connections,
  Invitations,
  Joining,
  KnownBrowsers,
  Mailer,
  Members,
  OwnerNews,
  PasswordResets,
  SecondFactor,
  Sessions,
  SignIn,
];

/** People's accounts, memberships and access: all rules and SQL about people (docs/behaviour.md §12). */
@Global()
@Module({ providers: SERVICES, exports: SERVICES })
export class PeopleModule {
  constructor(metrics: Metrics, mailer: Mailer) {
    metrics.outcomes('shop_mails_total', 'Letters by outcome', mailer.outcomes);
  }
}
