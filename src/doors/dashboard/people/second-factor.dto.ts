import { Example } from '../../../platform/schema/example.js';
import { DateTime, Flag, Integer, Text } from '../../../platform/schema/fields.js';
import { TextList } from '../../../platform/schema/list-fields.js';
import { ExactlyOneOf } from '../../../platform/schema/rules.js';
import { Code, CurrentPassword } from './auth.dto.js';

@Example({ enabledAt: '2026-05-04T09:30:00.000Z', recoveryCodesLeft: 10 })
export class SecondFactorRecord {
  @Flag() enabled: boolean;
  @DateTime({ nullable: true }) enabledAt: Date | null;
  @Integer() recoveryCodesLeft: number;
}

@Example({ currentPassword: 'correct horse battery' })
export class EnrolInput {
  @CurrentPassword() currentPassword: string;
}

@Example({
  secret: 'JBSWY3DPEHPK3PXP',
  uri: 'otpauth://totp/Shop:owner@shop.example?secret=JBSWY3DPEHPK3PXP',
})
export class EnrolledFactor {
  @Text({
    description: 'The secret in base32, to type into an authenticator app. It is shown only in this answer.',
  })
  secret: string;
  @Text({ description: 'The otpauth: address to show as a QR code. It is shown only in this answer.' })
  uri: string;
}

@Example({ code: '492039' })
export class ConfirmFactorInput {
  @Code() code: string;
}

@Example({ recoveryCodes: ['7kq2-m9xd', 'p4wt-z6hc'] })
export class RecoveryCodes {
  @TextList({
    description:
      'The recovery codes. Each replaces a code of the app once. They are shown only in this answer.',
  })
  recoveryCodes: string[];
}

@ExactlyOneOf('currentPassword', 'code')
@Example({ code: '492039' })
export class ProofInput {
  @CurrentPassword(true) currentPassword?: string;
  @Code(true) code?: string;
}
