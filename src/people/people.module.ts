import { Global, Module } from '@nestjs/common';
import { Accounts } from './accounts.service.js';
import { Sessions } from './sessions.service.js';
import { SignInAttempts } from './sign-in-attempts.service.js';

const SERVICES = [Accounts, Sessions, SignInAttempts];

/** Accounts and what they may enter: all rules and SQL about people (docs/behaviour.md §12). */
@Global()
@Module({ providers: SERVICES, exports: SERVICES })
export class PeopleModule {}
