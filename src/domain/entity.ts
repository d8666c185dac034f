/** Gives the fields that many entities have, and the type of an entity: its schema is its one description. */
import { z } from "zod";

/** A stored time: UTC, to the millisecond, always of the same width, so that text sorts as time. */
export const time = z.iso.datetime({ precision: 3 });

/** Any JSON object. Its keys are data, so that neither the API nor a table renames them. */
export const jsonObject = z.record(z.string(), z.unknown());

/** The type of an entity, from its schema; nothing in it is changed in place. */
export type Entity<Schema extends z.ZodType> = Frozen<z.output<Schema>>;

type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;
