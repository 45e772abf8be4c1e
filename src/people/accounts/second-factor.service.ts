import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secret, TOTP } from 'otpauth';
import type { ClientBase } from 'pg';
import { hashToken } from '../../platform/auth/token.js';
import { Clock } from '../../platform/clock.js';
import { declareSealed } from '../../platform/crypto/sealed-columns.js';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import type { RowOf } from '../../platform/database/statement.js';
import { runOn, SignInDatabase } from '../../platform/database/system.js';
import { invalidInput } from '../../platform/errors.js';
import * as sql from './second-factor.statements.js';

const PERIOD_S = 30;
/** Codes of the previous and the next step are accepted too, because clocks differ and people type slowly. */
const WINDOW = 1;
const RECOVERY_CODES = 10;
/** 32 letters and digits that do not look alike; 32, so that every byte picks one with equal probability. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const RECOVERY_LENGTH = 16;
const ISSUER = 'Shop administration';

export interface SecondFactorState {
  enabled: boolean;
  enabledAt: Date | null;
  recoveryCodesLeft: number;
}

type Factor = RowOf<typeof sql.FIND>;

/**
 * Codes of an authenticator app (TOTP, RFC 6238) as a second factor, and recovery codes in case the app is
 * lost. The app's secret is sealed at rest. Only hashes of recovery codes (80 random bits each) are stored.
 * Every code works once.
 */
@Injectable()
export class SecondFactor {
  constructor(
    private readonly database: SignInDatabase,
    private readonly box: SecretBox,
    private readonly clock: Clock,
  ) {}

  async state(userId: string): Promise<SecondFactorState> {
    const [row] = await this.database.query(sql.STATE, { userId });
    return row
      ? { enabled: true, enabledAt: row.enabledAt, recoveryCodesLeft: row.left }
      : { enabled: false, enabledAt: null, recoveryCodesLeft: 0 };
  }

  /**
   * Creates a secret for the app. Sign-ins do not need it until `confirm` has accepted a code; until then it
   * can be replaced.
   * @throws OperationError invalid_input if the second factor is already on
   */
  async enrol(userId: string, email: string): Promise<{ secret: string; uri: string }> {
    const secret = new Secret({ size: 20 });
    const stored = await this.database.query(sql.ENROL, {
      userId,
      sealed: this.box.seal(secret.base32, purposeOf(userId)),
      now: this.clock.now(),
    });
    if (stored.length === 0)
      throw invalidInput('The second factor is on already; turn it off first').about('changed_meanwhile');
    return {
      secret: secret.base32,
      uri: new TOTP({ issuer: ISSUER, label: email, secret, period: PERIOD_S }).toString(),
    };
  }

  /**
   * Turns the second factor on with a first code from the app.
   * @returns the recovery codes, which are never returned again
   * @throws OperationError invalid_input if there is nothing to confirm, or for a wrong code
   */
  async confirm(userId: string, code: string): Promise<string[]> {
    const factor = await this.find(userId);
    if (!factor || factor.confirmedAt)
      throw invalidInput('There is no second factor to confirm; enrol one first').about('changed_meanwhile');
    const step = this.stepOf(factor, userId, code);
    if (step === null)
      throw invalidInput('code is not the code that the app shows now').about('wrong_code', { path: 'code' });
    return this.database.transaction(async (client) => {
      const now = this.clock.now();
      const confirmed = await runOn(client, sql.CONFIRM, { userId, sealed: factor.sealed, now, step });
      if (confirmed.length === 0)
        throw invalidInput('code belongs to a secret that has been replaced').about('changed_meanwhile');
      return this.writeRecoveryCodes(client, userId);
    });
  }

  /** @returns whether the account requires a code */
  async isOn(userId: string): Promise<boolean> {
    return (await this.state(userId)).enabled;
  }

  /** Uses up a code of the app or a recovery code. @returns whether it was right and had not been used */
  async use(userId: string, code: string): Promise<boolean> {
    const factor = await this.find(userId);
    if (!factor?.confirmedAt) return false;
    const step = this.stepOf(factor, userId, code);
    const used =
      step === null
        ? await this.database.query(sql.USE_RECOVERY_CODE, {
            userId,
            codeHash: hashOf(code),
            now: this.clock.now(),
          })
        : await this.database.query(sql.USE_STEP, { userId, step });
    return used.length > 0;
  }

  /**
   * Creates new recovery codes; the old ones stop working. @returns the codes, which are never returned again
   */
  async renewRecoveryCodes(userId: string): Promise<string[]> {
    if (!(await this.isOn(userId))) throw invalidInput('The second factor is off').about('changed_meanwhile');
    return this.database.transaction((client) => this.writeRecoveryCodes(client, userId));
  }

  /** Turns the second factor off, or deletes an unconfirmed one. @returns whether there was one */
  async turnOff(userId: string): Promise<boolean> {
    return this.database.transaction(async (client) => {
      await runOn(client, sql.DELETE_RECOVERY_CODES, { userId });
      return (await runOn(client, sql.DELETE, { userId })).length > 0;
    });
  }

  private async find(userId: string): Promise<Factor | undefined> {
    const [factor] = await this.database.query(sql.FIND, { userId });
    return factor;
  }

  /**
   * The time step that a code belongs to; null if it is not valid now. The library compares in constant time.
   */
  private stepOf(factor: Factor, userId: string, code: string): number | null {
    const token = code.replace(/\s/g, '');
    if (!/^\d{6}$/.test(token)) return null;
    const secret = Secret.fromBase32(this.box.open(factor.sealed, purposeOf(userId)));
    const timestamp = this.clock.now().getTime();
    const delta = TOTP.validate({ token, secret, timestamp, period: PERIOD_S, window: WINDOW });
    return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD_S) + delta;
  }

  private async writeRecoveryCodes(client: ClientBase, userId: string): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    // Two concurrent renewals run one after the other; the codes of the last one are valid.
    await runOn(client, sql.LOCK, { userId });
    await runOn(client, sql.DELETE_RECOVERY_CODES, { userId });
    await runOn(client, sql.INSERT_RECOVERY_CODES, { userId, codeHashes: codes.map(hashOf) });
    return codes;
  }
}

const purposeOf = (userId: string) => `second-factor:${userId}`;

declareSealed('second_factors', ['sealed_secret'], (row) => purposeOf(row.user_id));

/** Four groups of four characters, which are easy to copy. */
function newRecoveryCode(): string {
  const letters = Array.from(randomBytes(RECOVERY_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join(
    '',
  );
  return letters.replace(/(.{4})(?=.)/g, '$1-');
}

/** The hash of a code. Letter case, spaces and hyphens do not matter. */
const hashOf = (code: string) => hashToken(code.toLowerCase().replace(/[\s-]/g, ''));
