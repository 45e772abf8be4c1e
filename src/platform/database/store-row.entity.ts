import { Column, PrimaryColumn } from 'typeorm';

/**
 * A transformer for a bigint, which the driver returns as text, whose values input validation keeps within
 * ±(2^53-1).
 */
export const INTEGER = {
  to: (value: unknown) => value,
  from: (value: string | null) => (value === null ? null : Number(value)),
};

/** The base of every row of a store. Tables without an id of ours extend only this. */
export abstract class StoreRow {
  @Column('uuid')
  storeId: string;
}

/**
 * A record with an id of ours (UUID version 7, so that ids rise with time), and with its times of creation
 * and change.
 */
export abstract class RecordRow extends StoreRow {
  @PrimaryColumn('uuid')
  id: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}

/** A record whose stock orders move: `lastEdit` of `platform/store/version.ts` reads these times. */
export abstract class MovedRow extends RecordRow {
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  movedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  editedAt: Date | null;
}
