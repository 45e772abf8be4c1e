import { DateTime, ExactlyOneOf, Flag, Integer, Text, TextList } from '../../platform/schema/fields.js';
import { Code, CurrentPassword } from './auth.dto.js';

export class SecondFactorRecord {
  @Flag() enabled: boolean;
  @DateTime({ nullable: true }) enabledAt: Date | null;
  @Integer() recoveryCodesLeft: number;
}

export class EnrolInput {
  @CurrentPassword() currentPassword: string;
}

export class EnrolledFactor {
  @Text({ description: 'In base32, for an app without a camera. Told only now.' }) secret: string;
  @Text({ description: 'The otpauth: address to show as a QR code. Told only now.' }) uri: string;
}

export class ConfirmFactorInput {
  @Code() code: string;
}

export class RecoveryCodes {
  @TextList({ description: 'Each signs in once in place of a code of the app. Told only now.' }) recoveryCodes: string[];
}

@ExactlyOneOf('currentPassword', 'code')
export class ProofInput {
  @CurrentPassword(true) currentPassword?: string;
  @Code(true) code?: string;
}
