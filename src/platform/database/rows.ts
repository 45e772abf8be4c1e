import type { EntityManager, EntityTarget, FindOptionsWhere, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { isUuid } from '../schema/formats.js';
import { DEFAULT_TAKE, type Order, type Page, type PageRequest, decodeCursor, keysetCondition, pageOf } from '../schema/page.js';
import type { StoreRow } from './store-row.entity.js';

/** TypeORM's comfort over one entity, always limited to the store: the whole of what a service may do with rows. */
export class StoreRows<Entity extends StoreRow> {
  constructor(
    private readonly storeId: string,
    private readonly entity: EntityTarget<Entity>,
    private readonly manager: () => Promise<EntityManager>,
  ) {}

  async findOne(where: Partial<Entity>, options: { lock?: boolean } = {}): Promise<Entity | null> {
    const query = (await this.query()).andWhere(where as ObjectLiteral);
    if (options.lock) query.setLock('pessimistic_write');
    return query.getOne();
  }

  /** By the record's own id; an id that is not well formed names nothing. */
  async findById(id: string, options: { lock?: boolean } = {}): Promise<Entity | null> {
    return isUuid(id) ? this.findOne({ id } as unknown as Partial<Entity>, options) : null;
  }

  async find(where: Partial<Entity> = {}): Promise<Entity[]> {
    return (await this.query()).andWhere(where as ObjectLiteral).getMany();
  }

  /**
   * One page by keyset: what comes after the cursor's record in the given order, which must end in a unique column.
   * @param refine adds conditions; the alias is `r`
   */
  async page(
    request: PageRequest,
    refine: (query: SelectQueryBuilder<Entity>) => void = () => undefined,
    order: Order = [{ property: 'id', direction: 'DESC' }],
  ): Promise<Page<Entity>> {
    const { take = DEFAULT_TAKE } = request;
    const query = await this.query();
    refine(query);
    if (request.cursor !== undefined) {
      const condition = keysetCondition(order, decodeCursor(request.cursor, order));
      query.andWhere(condition.sql, condition.parameters);
    }
    for (const { property, direction } of order) query.addOrderBy(`r.${property}`, direction);
    const rows = await query.limit(take + 1).getMany();
    return pageOf(rows, take, order);
  }

  async insert(values: Omit<Entity, 'storeId'>): Promise<Entity> {
    const row = { ...values, storeId: this.storeId } as unknown as Entity;
    await (await this.manager()).insert(this.entity, row as unknown as QueryDeepPartialEntity<Entity>);
    return row;
  }

  /** Changes the matching rows. @returns how many there were */
  async update(where: Partial<Entity>, values: Partial<Entity>): Promise<number> {
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
    const result = await (await this.manager()).update(this.entity, this.own(where), given as QueryDeepPartialEntity<Entity>);
    return result.affected ?? 0;
  }

  /** Deletes the matching rows; the database's foreign keys do the rest. @returns how many there were */
  async delete(where: Partial<Entity>): Promise<number> {
    const result = await (await this.manager()).delete(this.entity, this.own(where));
    return result.affected ?? 0;
  }

  private own(where: Partial<Entity>): FindOptionsWhere<Entity> {
    return { ...where, storeId: this.storeId } as FindOptionsWhere<Entity>;
  }

  private async query(): Promise<SelectQueryBuilder<Entity>> {
    const manager = await this.manager();
    return manager.createQueryBuilder(this.entity, 'r').where('r.storeId = :storeId', { storeId: this.storeId });
  }
}
