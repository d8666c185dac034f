/** Reads a database row into a shape of the domain, or says which row is damaged. */
import { z } from "zod";
import type { TaskSettings } from "../../domain/task/task-settings.ts";
import { StorageFailure, storageError } from "./storage-error.ts";

/** A reader of one table's rows. Throws a `StorageFailure` that names the table and the row's id. */
export function rowReader<T>(options: {
  readonly table: string;
  readonly schema: z.ZodType<T>;
  /** The row's id as text, from its raw columns. */
  readonly id: (row: Readonly<Record<string, unknown>>) => string;
}): (row: object) => T {
  return (row) => {
    const parsed = options.schema.safeParse(row);
    if (parsed.success) return parsed.data;
    const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    const id = options.id(row as Record<string, unknown>);
    throw new StorageFailure(
      storageError(
        "database_corrupt",
        `The row ${id} of the table ${options.table} is damaged (${problems.join("; ")}).`,
      ),
    );
  };
}

/** A column that holds JSON as text. */
export function jsonColumn<T>(schema: z.ZodType<T>) {
  return z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: "custom", message: "is not JSON" });
        return z.NEVER;
      }
    })
    .pipe(schema);
}

/** A stored time: UTC, to the millisecond, always of the same width, so that text sorts as time. */
export const timeColumn = z.iso.datetime({ precision: 3 });

/** The column of a time given in any ISO form. Throws if it is not a time, because it could not be read back. */
export function toTime(text: string): string {
  const time = new Date(text).toISOString();
  if (time.length !== "2026-01-02T12:00:00.000Z".length) throw new RangeError(`${text} is too far away`);
  return time;
}

/** The column of a time that may be null. */
export function toTimeOrNull(text: string | null): string | null {
  return text === null ? null : toTime(text);
}

/** Any JSON object. */
export const jsonObject = z.record(z.string(), z.unknown());

/** Settings of a task or a run; keys unknown to this version stay as they are. */
export const settingsObject: z.ZodType<TaskSettings> = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean()]),
);

/** The text of a JSON column. */
export function toJson(value: unknown): string {
  return JSON.stringify(value);
}

/** The text of a JSON column that may be null. */
export function toJsonOrNull(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** The columns of a change. Absent keys stay absent, and foreign keys are ignored. */
export function changedColumns<Change extends object, Columns extends object>(
  change: Change,
  columns: { readonly [Key in keyof Change]-?: (value: Exclude<Change[Key], undefined>) => Columns },
): Columns {
  const parts = (Object.keys(columns) as (keyof Change)[])
    .filter((key) => change[key] !== undefined)
    .map((key) => columns[key](change[key] as Exclude<Change[typeof key], undefined>));
  return Object.assign({}, ...parts);
}
