import { Injectable } from '@nestjs/common';
import { invalidInput } from '../../platform/errors.js';
import { type Proof, SignIn } from '../../people/sign-in/sign-in.service.js';
import type { Caller } from './caller.js';
import { Cookies } from './cookies.js';

/**
 * Asks once more for the password or a code before what a stolen session must not do: make or remove owners,
 * and create access of scope admin (docs/behaviour.md §10).
 */
@Injectable()
export class Confirmation {
  constructor(
    private readonly people: SignIn,
    private readonly cookies: Cookies,
  ) {}

  /**
   * @param what is to be done, for the refusal: "making an owner"
   * @throws OperationError invalid_input without a proof or for a wrong one; rate_limited
   */
  async ask({ call, session }: Caller, { currentPassword, code }: Proof, what: string): Promise<void> {
    if (currentPassword === undefined && code === undefined)
      throw invalidInput(`currentPassword or code is required: ${what} asks for one of them once more`).about(
        'prove',
        { path: 'currentPassword' },
      );
    await this.people.confirm(this.cookies.visitorOf(call), session!, { currentPassword, code });
  }
}
