import { Global, Module } from '@nestjs/common';
import { Accounts } from './accounts.service.js';
import { Apps } from './apps.service.js';
import { Attempts } from './attempts.service.js';
import { Connections } from './connections.service.js';
import { Invitations } from './invitations.service.js';
import { Joining } from './joining.service.js';
import { KnownBrowsers } from './known-browsers.service.js';
import { Mailer } from './mailer.service.js';
import { Members } from './members.service.js';
import { PasswordResets } from './password-resets.service.js';
import { SecondFactor } from './second-factor.service.js';
import { Sessions } from './sessions.service.js';
import { SignIn } from './sign-in.service.js';

const SERVICES = [
  Accounts,
  Apps,
  Attempts,
  Connections,
  Invitations,
  Joining,
  KnownBrowsers,
  Mailer,
  Members,
  PasswordResets,
  SecondFactor,
  Sessions,
  SignIn,
];

/** People's accounts, memberships and access: all rules and SQL about people (docs/behaviour.md §12). */
@Global()
@Module({ providers: SERVICES, exports: SERVICES })
export class PeopleModule {}
