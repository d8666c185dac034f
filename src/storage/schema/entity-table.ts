/** Derives a table from its entity's schema: its columns, how fields are written, how a row is read. */
import type { ColumnType, Insertable } from "kysely";
import { z } from "zod";
import type { Entity } from "../../domain/entity.ts";
import { snakeCase } from "../../domain/text/snake-case.ts";
import { asStored, codecOf } from "./column-codecs.ts";
import { corrupt } from "./storage-error.ts";

/** How a table differs from its entity. */
interface Layout {
  /** The columns that name a row in a message. Default: `id`. */
  readonly key?: readonly string[];
  /** Fields whose column has another name. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Fields with a column for each part: `baseSha` is `base.sha`. Such a field is null if one of them is. */
  readonly spread?: readonly string[];
}

interface EntityTable<Fields, Shape extends Layout> {
  /** Throws a `StorageFailure` that names the table, the row, and what is wrong in which column. */
  readonly read: (row: object) => Fields;
  /** The columns of the fields that are given; other keys are ignored. */
  readonly write: <Given extends Partial<Fields>>(given: Given) => Insertable<Columns<Given, Shape>>;
}

export function entityTable<Schema extends z.ZodObject, const Shape extends Layout>(
  name: string,
  schema: Schema,
  layout: Shape,
): EntityTable<Entity<Schema>, Shape> {
  const fields = Object.entries(schema.shape).map(([key, field]) => fieldOf(key, field as z.ZodType, layout));
  const byKey = new Map<PropertyKey, Field>(fields.map((field) => [field.key, field]));
  const decoded = fields.filter((field) => field.read !== null);
  const damaged = (row: Row, problems: readonly string[]) => {
    const id = (layout.key ?? ["id"]).map((column) => row[column]).join("/");
    return corrupt(`The row ${id} of the table ${name} is damaged (${problems.join("; ")}).`);
  };
  return {
    read(given) {
      const row = given as Row;
      // The schema takes only the fields out of it.
      const found: Record<string, unknown> = { ...row };
      for (const { key, read, nameInDatabase } of decoded)
        try {
          found[key] = read?.(row);
        } catch {
          throw damaged(row, [`${nameInDatabase([])}: is not JSON`]);
        }
      const parsed = schema.safeParse(found);
      if (parsed.success) return parsed.data as Entity<Schema>;
      const problems = parsed.error.issues.map(
        ({ path: [key, ...inside], message }) =>
          `${byKey.get(key ?? "")?.nameInDatabase(inside)}: ${message}`,
      );
      throw damaged(row, problems);
    },
    write(given: Row) {
      const written = {};
      for (const { key, write } of fields)
        if (given[key] !== undefined) Object.assign(written, write(given[key]));
      return written as never;
    },
  };
}

/** One row, or one entity, by column or by field. */
type Row = Readonly<Record<string, unknown>>;

/** How one field is stored in the table. */
interface Field {
  readonly key: string;
  /** Throws if a column does not hold JSON as it should. Null if the column holds the field as it is. */
  readonly read: ((row: Row) => unknown) | null;
  /** The columns of a value. */
  readonly write: (value: unknown) => Row;
  /** Names a value inside the field for a message: the column, then the path in its JSON. */
  readonly nameInDatabase: (inside: readonly PropertyKey[]) => string;
}

function fieldOf(key: string, schema: z.ZodType, { spread = [], renamed = {} }: Layout): Field {
  if (spread.includes(key)) return spreadField(key, schema);
  const column = renamed[key] ?? key;
  const codec = codecOf(schema);
  return {
    key,
    read: column === key && codec.read === asStored ? null : (row) => codec.read(row[column]),
    write: (value) => ({ [column]: codec.write(value) }),
    nameInDatabase: (inside) => [snakeCase(column), ...inside].join("."),
  };
}

/** The parts of a spread field are stored as they are. */
function spreadField(key: string, schema: z.ZodType): Field {
  const nullable = schema instanceof z.ZodNullable;
  const { shape } = (nullable ? schema.unwrap() : schema) as z.ZodObject;
  const columnOf = (part: string) => key + part.charAt(0).toUpperCase() + part.slice(1);
  const columns = Object.keys(shape).map((part) => ({ part, column: columnOf(part) }));
  return {
    key,
    read: (row) =>
      nullable && columns.some(({ column }) => row[column] === null)
        ? null
        : Object.fromEntries(columns.map(({ part, column }) => [part, row[column]])),
    write: (value) =>
      Object.fromEntries(columns.map(({ part, column }) => [column, (value as Row | null)?.[part] ?? null])),
    nameInDatabase: ([part, ...inside]) => [snakeCase(columnOf(String(part))), ...inside].join("."),
  };
}

/** The columns of a table, as Kysely sees them. */
export type ColumnsOf<Table> =
  Table extends EntityTable<infer Fields, infer Shape> ? Columns<Fields, Shape> : never;

/** The columns of some fields; what a table reads is checked by `read` alone. */
type Columns<Fields, Shape extends Layout> = {
  [Field in keyof Fields as ColumnName<Field, Shape>]: Column<Fields[Field]>;
} & UnionToIntersection<
  { [Field in keyof Fields & SpreadIn<Shape>]: Parts<Field, Fields[Field]> }[keyof Fields & SpreadIn<Shape>]
>;

type Column<Value> = unknown extends Value
  ? string | null
  : Value extends null | undefined | number
    ? Value
    : Value extends boolean
      ? ColumnType<number, boolean, boolean>
      : string;

type ColumnName<Field, Shape extends Layout> =
  Field extends SpreadIn<Shape>
    ? never
    : Field extends keyof Shape["renamed"]
      ? Shape["renamed"][Field] & string
      : Field;

type SpreadIn<Shape extends Layout> = Shape["spread"] extends readonly (infer Field extends string)[]
  ? Field
  : never;

/** The columns of a spread field. */
type Parts<Field extends string, Value> = {
  [Part in keyof NonNullable<Value> & string as `${Field}${Capitalize<Part>}`]: Column<
    NonNullable<Value>[Part] | Extract<Value, null>
  >;
};

/** Turns `A | B` into `A & B`. */
type UnionToIntersection<Union> = (Union extends unknown ? (part: Union) => void : never) extends (
  part: infer All,
) => void
  ? All
  : never;
