import { DefaultNamingStrategy } from 'typeorm';
import { columnOf } from './columns.js';

/** Names columns in snake_case. Entities name their tables themselves. */
export class SnakeNamingStrategy extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined): string {
    return customName ?? columnOf(propertyName);
  }
}
