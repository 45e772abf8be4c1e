import { Column, Entity, PrimaryColumn } from 'typeorm';
import { StoreRow } from '../../platform/database/store-row.entity.js';

@Entity('customers')
export class Customer extends StoreRow {
  /** The messenger's user id, which a JavaScript number may not represent exactly. */
  @PrimaryColumn('bigint')
  id: string;

  @Column({ type: 'text', nullable: true })
  username: string | null;

  @Column({ type: 'text', nullable: true })
  firstName: string | null;

  @Column({ type: 'text', nullable: true })
  lastName: string | null;

  @Column('boolean')
  isBotBlocked: boolean;

  @Column('boolean')
  isBanned: boolean;

  @Column({ type: 'numeric', precision: 20, scale: 2 })
  bonusBalance: string;

  @Column({ type: 'numeric', precision: 20, scale: 2 })
  bonusOwed: string;

  @Column({ type: 'bigint', nullable: true })
  referrerId: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastSeenAt: Date | null;

  /** The names that the shop has set, and the messenger no longer changes. */
  @Column({ type: 'text', array: true })
  editedNames: string[];

  /** Read with `editedAt` by `lastEdit` of `platform/store/version.ts`. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  movedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  editedAt: Date | null;

  /** What another system knows the customer by, and keeps with it. */
  @Column({ type: 'text', nullable: true })
  externalId: string | null;

  @Column({ type: 'json', nullable: true })
  metadata: object | null;
}
