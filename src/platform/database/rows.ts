import type { EntityManager, FindOptionsWhere, ObjectLiteral } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { isUuid } from '../schema/formats.js';
import type { StoreRow } from './store-row.entity.js';

type EntityClass<Entity> = new () => Entity;

/** The values of an insert: every column except the store. Nullable columns are optional. */
export type NewRow<Entity> = {
  [Name in Exclude<keyof Entity, 'storeId'> as null extends Entity[Name] ? never : Name]: Entity[Name];
} & { [Name in keyof Entity as null extends Entity[Name] ? Name : never]?: Entity[Name] };

/**
 * Reads and writes single rows of one entity with TypeORM, always limited to the store. Lists, joins, ordered
 * locks and upserts are statements (docs/decisions/0008-rows-or-statements.md).
 */
export class StoreRows<Entity extends StoreRow> {
  constructor(
    private readonly storeId: string,
    private readonly entity: EntityClass<Entity>,
    private readonly manager: () => Promise<EntityManager>,
  ) {}

  async findOne(where: Partial<Entity>, options: { lock?: boolean } = {}): Promise<Entity | null> {
    const query = (await this.manager())
      .createQueryBuilder(this.entity, 'r')
      .where('r.storeId = :storeId', { storeId: this.storeId })
      .andWhere(where as ObjectLiteral);
    if (options.lock) query.setLock('pessimistic_write');
    return query.getOne();
  }

  /** Finds a record by its id. An id that is not well-formed finds nothing. */
  async findById(id: string, options: { lock?: boolean } = {}): Promise<Entity | null> {
    return isUuid(id) ? this.findOne({ id } as unknown as Partial<Entity>, options) : null;
  }

  /** @returns the row as it is stored; nullable columns without a value are null */
  async insert(values: NewRow<Entity>): Promise<Entity> {
    const manager = await this.manager();
    const row: Record<string, unknown> = { ...values, storeId: this.storeId };
    for (const { propertyName, isNullable } of manager.connection.getMetadata(this.entity).columns)
      if (isNullable) row[propertyName] ??= null;
    await manager.insert(this.entity, row as QueryDeepPartialEntity<Entity>);
    return row as Entity;
  }

  /** Updates the matching rows; undefined values leave a column unchanged. @returns how many rows matched */
  async update(where: Partial<Entity>, values: Partial<Entity>): Promise<number> {
    const result = await (
      await this.manager()
    ).update(this.entity, this.own(where), values as QueryDeepPartialEntity<Entity>);
    return result.affected ?? 0;
  }

  /**
   * Deletes the matching rows. The database's foreign keys handle rows that refer to them. @returns how many
   * rows matched
   */
  async delete(where: Partial<Entity>): Promise<number> {
    const result = await (await this.manager()).delete(this.entity, this.own(where));
    return result.affected ?? 0;
  }

  private own(where: Partial<Entity>): FindOptionsWhere<Entity> {
    return { ...where, storeId: this.storeId } as FindOptionsWhere<Entity>;
  }
}
