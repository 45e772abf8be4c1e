import type { Row, Table } from '../file/table.js';
import { type Field, NUMBERS } from '../formats/fields.js';
import { Unfit } from '../problem.js';
import { type DecimalSign, numberForm, type NumberForm, numberOf } from '../values/numbers.js';
import type { Mapping } from './mapping.js';

/** What is known of the store, and what the person has chosen. */
export interface Settings {
  currency: string;
  /** How many decimals the currency has. */
  decimals: number;
  /** The time zone of times without one. Default UTC. */
  timeZone?: string;
  /** What 1,250 means where nothing in the file tells it. */
  decimalSign?: DecimalSign;
  /** What stands before the names of pictures that are no addresses. */
  pictureBase?: string;
  /** The picture of new products that have none in the file. */
  picture?: string;
  /** Whether zeros at the beginning of codes were lost in a spreadsheet. */
  zeros?: 'lost' | 'meant';
  /** Whether brands and categories that do not exist are made. */
  makesMissing?: boolean;
  /** Whether a product is imported without those of its variants whose lines are wrong. */
  withoutWrong?: boolean;
}

/** A column in which a number may be read in two ways, and one of its cells. */
export interface Doubt {
  column: string;
  sample: string;
}

interface Source {
  index: number;
  heading: string;
  form: NumberForm | null;
}

/** The columns of a file by what they are taken for. */
export class Columns {
  private readonly sources = new Map<string, Source[]>();
  readonly doubts: Doubt[] = [];
  /** The numbers of options, in their order. */
  readonly places: number[];

  constructor(
    table: Table,
    mapping: Mapping,
    readonly settings: Settings,
  ) {
    const places = new Set<number>();
    for (const [index, target] of mapping.entries()) {
      if (!target) continue;
      const { field, place = 1 } = target;
      const isNumber = NUMBERS.has(field);
      const form = isNumber ? numberForm(cellsOf(table, index), decimalsOf(field, settings)) : null;
      const isOption = field === 'optionName' || field === 'optionValue';
      if (isOption) places.add(place);
      const key = keyOf(field, isOption ? place : undefined);
      const source = { index, heading: table.columns[index].heading, form };
      this.sources.set(key, [...(this.sources.get(key) ?? []), source]);
    }
    this.places = [...places].sort((one, other) => one - other);
    this.settleSigns();
  }

  /** A column that tells nothing by itself is written as the others are, or as the person says. */
  private settleSigns(): void {
    const forms = [...this.sources.values()]
      .flat()
      .flatMap(({ form, heading }) => (form ? [{ form, heading }] : []));
    const signs = new Set(forms.flatMap(({ form }) => (form.sign === null ? [] : [form.sign])));
    const common = signs.size === 1 ? [...signs][0] : null;
    for (const { form, heading } of forms) {
      if (form.sign === null && form.sample !== undefined) {
        if (!common && !this.settings.decimalSign) this.doubts.push({ column: heading, sample: form.sample });
        form.sign = common ?? this.settings.decimalSign ?? null;
      }
    }
  }

  has(field: Field): boolean {
    return (
      this.sources.has(keyOf(field)) || this.places.some((place) => this.sources.has(keyOf(field, place)))
    );
  }

  of(field: Field, place?: number): Source[] {
    return this.sources.get(keyOf(field, place)) ?? [];
  }
}

const keyOf = (field: Field, place?: number) => (place === undefined ? field : `${field} ${place}`);

const decimalsOf = (field: Field, { decimals }: Settings) => (field === 'itemAmount' ? 0 : decimals);

function* cellsOf({ rows }: Table, index: number): Generator<string> {
  for (const { cells } of rows) if (cells[index]) yield cells[index];
}

/** A line of a file, by what its columns are. */
export class Line {
  constructor(
    private readonly row: Row,
    private readonly columns: Columns,
  ) {}

  get line(): number {
    return this.row.line;
  }

  get settings(): Settings {
    return this.columns.settings;
  }

  get places(): number[] {
    return this.columns.places;
  }

  /** The first cell of the field; undefined if there is none. */
  text(field: Field, place?: number): string | undefined {
    const [source] = this.columns.of(field, place);
    return source && this.row.cells[source.index];
  }

  /** The cell, if anything stands in it. */
  filled(field: Field, place?: number): string | undefined {
    const text = this.text(field, place)?.trim();
    return text === '' ? undefined : text;
  }

  /** The filled cells of all columns of the field, with the headings. */
  all(field: Field, place?: number): { heading: string; text: string }[] {
    return this.columns.of(field, place).flatMap(({ index, heading }) => {
      const text = this.row.cells[index]?.trim();
      return text ? [{ heading, text }] : [];
    });
  }

  /** Whether any column of the field has a cell in this line, even an empty one. */
  has(field: Field): boolean {
    return this.columns.of(field).some(({ index }) => this.row.cells[index] !== undefined);
  }

  heading(field: Field): string {
    return this.columns.of(field)[0]?.heading ?? field;
  }

  /** How many cells are filled in columns that are read. */
  get size(): number {
    return this.row.cells.filter((cell) => cell?.trim()).length;
  }

  /** Reads what stands in a column; what is wrong is told with its heading. @throws Unfit */
  read<Value>(field: Field, how: (text: string) => Value, text = this.text(field)): Value | undefined {
    if (text === undefined) return undefined;
    try {
      return how(text);
    } catch (error) {
      if (error instanceof Unfit)
        throw new Unfit(error.code, error.value, error.column ?? this.heading(field));
      throw error;
    }
  }

  /** The sum of the numbers of a field; null if the cells are empty. @throws Unfit */
  number(field: Field): number | null | undefined {
    const isMoney = field !== 'itemAmount';
    let sum: number | null | undefined;
    for (const { index, form, heading } of this.columns.of(field)) {
      const text = this.row.cells[index];
      if (text === undefined) continue;
      const decimals = decimalsOf(field, this.settings);
      // A column written in both ways is read cell by cell.
      const own = form!.isMixed ? numberForm([text], decimals).sign : form!.sign;
      const currency = isMoney ? this.settings.currency : undefined;
      const value = this.read(
        field,
        () => numberOf(text, own ?? this.settings.decimalSign ?? '.', decimals, currency),
        text,
      );
      if (value === null) sum ??= null;
      else if (value! < 0 && isMoney && field !== 'surcharge') throw new Unfit('negative', text, heading);
      else sum = (sum ?? 0) + value!;
    }
    return sum;
  }
}
