import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { declareSealed } from '../../platform/crypto/sealed-columns.js';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import { SystemDatabase } from '../../platform/database/system.js';
import { FIND_PUSH_KEYS, SAVE_PUSH_KEYS } from './push-keys.statements.js';
import { newKeyPair, type PushKeyPair } from './push-message.js';

const PURPOSE = 'push keys';

declareSealed('push_keys', ['sealed_private_key'], () => PURPOSE);

/** The keys of the installation, which are made when they are first needed. */
@Injectable()
export class PushKeys {
  private known?: PushKeyPair;

  constructor(
    private readonly database: SystemDatabase,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
  ) {}

  async get(): Promise<PushKeyPair> {
    return (this.known ??= (await this.find()) ?? (await this.make()));
  }

  private async find(): Promise<PushKeyPair | undefined> {
    const [row] = await this.database.read(FIND_PUSH_KEYS);
    return row && { publicKey: row.publicKey, privateKey: this.secrets.open(row.sealed, PURPOSE) };
  }

  private async make(): Promise<PushKeyPair> {
    const { publicKey, privateKey } = newKeyPair();
    const sealed = this.secrets.seal(privateKey, PURPOSE);
    await this.database.query(SAVE_PUSH_KEYS, { publicKey, sealed, now: this.clock.now() });
    return (await this.find())!;
  }
}
