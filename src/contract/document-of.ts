/** Turns entities into JSON: keys in snake_case, and a reference such as `attemptId` as `attempt`. */
import { z } from "zod";
import type { Entity } from "../domain/entity.ts";
import { type SnakeCase, snakeCase } from "../domain/text/snake-case.ts";

/**
 * The schema of an entity's JSON. A reader takes any text for a time and any number for a whole one, so that it reads
 * the answers of other versions.
 */
export function documentOf<Schema extends z.ZodType>(entity: Schema): DocumentOf<Schema> {
  return schemaOf(entity) as z.ZodType as DocumentOf<Schema>;
}

/** How an entity is shown: as JSON, without the keys that its schema does not have. Made once, used often. */
export function showing<Schema extends z.ZodObject>(
  entity: Schema,
): (value: Entity<Schema>) => z.output<DocumentOf<Schema>> {
  return shownBy(entity) as (value: unknown) => z.output<DocumentOf<Schema>>;
}

export type DocumentOf<Schema> =
  Schema extends z.ZodObject<infer Shape>
    ? z.ZodObject<
        { -readonly [Key in keyof Shape & string as JsonKey<Key>]: DocumentOf<Shape[Key]> },
        z.core.$strip
      >
    : Schema extends z.ZodNullable<infer Inner extends z.ZodType>
      ? z.ZodNullable<DocumentOf<Inner>>
      : Schema extends z.ZodArray<infer Item extends z.ZodType>
        ? z.ZodArray<DocumentOf<Item>>
        : Schema extends z.ZodISODateTime
          ? z.ZodString
          : Schema;

type JsonKey<Key extends string> = Key extends `${infer Other}Id` ? SnakeCase<Other> : SnakeCase<Key>;

function jsonKey(key: string): string {
  return snakeCase(key.replace(/Id$/, ""));
}

function schemaOf(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodObject)
    return z.object(
      Object.fromEntries(Object.entries(schema.shape).map(([key, field]) => [jsonKey(key), schemaOf(field)])),
    );
  if (schema instanceof z.ZodNullable) return schemaOf(schema.unwrap()).nullable();
  if (schema instanceof z.ZodArray) return z.array(schemaOf(schema.element));
  if (schema instanceof z.ZodISODateTime) return z.string();
  return schema instanceof z.ZodNumber ? z.number() : (schema as z.ZodType);
}

type Show = (value: unknown) => unknown;

/** Null if the JSON is the value itself. What JSON holds without a schema of ours keeps its keys. */
function shownBy(schema: z.core.$ZodType): Show | null {
  if (schema instanceof z.ZodNullable) {
    const show = shownBy(schema.unwrap());
    return show && ((value) => (value === null ? null : show(value)));
  }
  if (schema instanceof z.ZodArray) {
    const show = shownBy(schema.element);
    return show && ((value) => (value as readonly unknown[]).map(show));
  }
  if (!(schema instanceof z.ZodObject)) return null;
  const fields = Object.entries(schema.shape).map(([key, field]) => ({
    key,
    name: jsonKey(key),
    show: shownBy(field),
  }));
  return (value) => {
    const json: Record<string, unknown> = {};
    for (const { key, name, show } of fields) {
      const given = (value as Readonly<Record<string, unknown>>)[key];
      json[name] = show === null ? given : show(given);
    }
    return json;
  };
}
