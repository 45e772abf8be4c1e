import { DefaultNamingStrategy } from 'typeorm';

/** `logoUrl` is the column `logo_url`. Tables name themselves. */
export class SnakeNamingStrategy extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined): string {
    return customName ?? propertyName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }
}
