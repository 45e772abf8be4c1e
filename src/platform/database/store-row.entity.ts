import { Column, PrimaryColumn } from 'typeorm';

/** A bigint column whose values input keeps within ±(2^53-1): the driver gives it as text. */
export const INTEGER = {
  to: (value: unknown) => value,
  from: (value: string | null) => (value === null ? null : Number(value)),
};

/** What every record of a store has. Tables that key differently extend only StoreRow. */
export abstract class StoreRow {
  @Column('uuid')
  storeId: string;
}

/** A record with an id of ours (UUID version 7, so ids rise with time) and its times. */
export abstract class RecordRow extends StoreRow {
  @PrimaryColumn('uuid')
  id: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
