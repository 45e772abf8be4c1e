import { DefaultNamingStrategy } from 'typeorm';
import { columnOf } from './columns.js';

/** Tables name themselves. */
export class SnakeNamingStrategy extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined): string {
    return customName ?? columnOf(propertyName);
  }
}
