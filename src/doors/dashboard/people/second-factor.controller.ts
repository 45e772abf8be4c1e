import { Operation } from '../../../platform/call/endpoint.js';
import { Controller } from '@nestjs/common';
import { OwnerNews } from '../../../people/members/owner-alerts.service.js';
import { SecondFactor } from '../../../people/accounts/second-factor.service.js';
import { SignIn } from '../../../people/sign-in/sign-in.service.js';
import type { Caller } from '../caller.js';
import { Cookies } from '../cookies.js';
import { API_PATH, DASHBOARD } from '../dashboard.door.js';
import {
  ConfirmFactorInput,
  EnrolInput,
  EnrolledFactor,
  ProofInput,
  RecoveryCodes,
  SecondFactorRecord,
} from './second-factor.dto.js';

const PATH = 'auth/second-factor';

/** The signed-in user's authenticator app and recovery codes. */
@Controller(API_PATH)
export class SecondFactorController {
  constructor(
    private readonly factor: SecondFactor,
    private readonly people: SignIn,
    private readonly cookies: Cookies,
    private readonly news: OwnerNews,
  ) {}

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: PATH,
    summary: 'Get whether the second factor is on',
    output: SecondFactorRecord,
  })
  state(_input: object, { session }: Caller): Promise<SecondFactorRecord> {
    return this.factor.state(session!.userId);
  }

  @Operation({
    door: DASHBOARD,
    method: 'POST',
    path: `${PATH}/enrol`,
    summary: 'Create a secret for an authenticator app (TOTP)',
    description:
      'Sign-in requires a code only after the first code has been confirmed. Until then a new secret ' +
      'replaces this one.',
    input: EnrolInput,
    output: EnrolledFactor,
  })
  async enrol({ currentPassword }: EnrolInput, { call, session }: Caller): Promise<EnrolledFactor> {
    await this.people.confirm(this.cookies.visitorOf(call), session!, { currentPassword });
    return this.factor.enrol(session!.userId, session!.email);
  }

  @Operation({
    door: DASHBOARD,
    method: 'POST',
    path: `${PATH}/confirm`,
    summary: 'Turn the second factor on with a first code of the app',
    description:
      'The answer has ten recovery codes. Other browsers in which the user has signed in are no longer ' +
      'recognised.',
    input: ConfirmFactorInput,
    output: RecoveryCodes,
  })
  async confirm({ code }: ConfirmFactorInput, { call, session }: Caller): Promise<RecoveryCodes> {
    return {
      recoveryCodes: await this.people.confirmSecondFactor(this.cookies.visitorOf(call), session!, code),
    };
  }

  @Operation({
    door: DASHBOARD,
    method: 'POST',
    path: `${PATH}/disable`,
    summary: 'Turn the second factor off',
    input: ProofInput,
    output: SecondFactorRecord,
  })
  async disable(proof: ProofInput, { call, session }: Caller): Promise<SecondFactorRecord> {
    await this.people.confirm(this.cookies.visitorOf(call), session!, proof);
    if (await this.factor.turnOff(session!.userId))
      this.news.tellAbout(session!, 'turned off their second factor');
    return this.factor.state(session!.userId);
  }

  @Operation({
    door: DASHBOARD,
    method: 'POST',
    path: `${PATH}/recovery-codes`,
    summary: 'Create new recovery codes; the old ones become invalid',
    input: ProofInput,
    output: RecoveryCodes,
  })
  async renew(proof: ProofInput, { call, session }: Caller): Promise<RecoveryCodes> {
    await this.people.confirm(this.cookies.visitorOf(call), session!, proof);
    return { recoveryCodes: await this.factor.renewRecoveryCodes(session!.userId) };
  }
}
