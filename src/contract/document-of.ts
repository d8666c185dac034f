/** Turns fields of entities into JSON: keys in snake_case, and a reference such as `attemptId` as `attempt`. */
import { z } from "zod";
import type { Entity } from "../domain/entity.ts";
import { type SnakeCase, snakeCase } from "../domain/text/snake-case.ts";

type Shape = Readonly<Record<string, z.ZodType>>;

/**
 * The fields of an entity's JSON. A reader accepts any text as a time, and any number as a whole one. So it reads answers of
 * other versions.
 */
export function documentOf<Fields extends Shape>(fields: Fields): DocumentOf<Fields> {
  const shape = Object.entries(fields).map(([key, field]) => [jsonKey(key), jsonSchema(field)]);
  return Object.fromEntries(shape) as DocumentOf<Fields>;
}

/** All fields but some. A shape, since a command waits for each object schema that is made. */
export function without<Fields extends Shape, Key extends keyof Fields>(
  fields: Fields,
  ...keys: readonly Key[]
): Omit<Fields, Key> {
  const left = Object.entries(fields).filter(([key]) => !keys.includes(key as Key));
  return Object.fromEntries(left) as Omit<Fields, Key>;
}

/** How an entity is shown: as JSON with these fields and no others. */
export function showing<Fields extends Shape>(
  fields: Fields,
): (entity: Entity<z.ZodObject<Fields>>) => z.output<z.ZodObject<DocumentOf<Fields>>> {
  return showFields(fields) as ReturnType<typeof showing<Fields>>;
}

type DocumentOf<Fields> = {
  -readonly [Key in keyof Fields & string as JsonKey<Key>]: JsonSchema<Fields[Key]>;
};

type JsonSchema<Field> =
  Field extends z.ZodObject<infer Fields>
    ? z.ZodObject<DocumentOf<Fields>, z.core.$strip>
    : Field extends z.ZodNullable<infer Inner>
      ? z.ZodNullable<JsonSchema<Inner>>
      : Field extends z.ZodArray<infer Item>
        ? z.ZodArray<JsonSchema<Item>>
        : Field extends z.ZodISODateTime
          ? z.ZodString
          : Field;

type JsonKey<Key extends string> = Key extends `${infer Other}Id` ? SnakeCase<Other> : SnakeCase<Key>;

function jsonKey(key: string): string {
  return snakeCase(key.replace(/Id$/, ""));
}

const TEXT = z.string();
const NUMBER = z.number();
const made = new WeakMap<z.core.$ZodType, z.ZodType>();

/** The schema of a field's JSON; the field's own if they do not differ. */
function jsonSchema(field: z.core.$ZodType): z.ZodType {
  const schema = made.get(field) ?? makeJsonSchema(field as z.ZodType);
  made.set(field, schema);
  return schema;
}

function makeJsonSchema(field: z.ZodType): z.ZodType {
  if (field instanceof z.ZodISODateTime) return TEXT;
  if (field instanceof z.ZodNumber) return field.isInt ? NUMBER : field;
  if (field instanceof z.ZodNullable) {
    const inner = jsonSchema(field.unwrap());
    return inner === field.unwrap() ? field : inner.nullable();
  }
  if (field instanceof z.ZodArray) {
    const item = jsonSchema(field.element);
    return item === field.element ? field : z.array(item);
  }
  if (!(field instanceof z.ZodObject)) return field;
  const shape: Shape = documentOf(field.shape as Shape);
  const isSame = Object.entries(field.shape).every(([key, part]) => shape[key] === part);
  return isSame ? field : z.object(shape);
}

type Show = (value: unknown) => unknown;

/** Null if the JSON is the value itself. What JSON holds without a schema of ours keeps its keys. */
function showField(field: z.core.$ZodType): Show | null {
  if (field instanceof z.ZodNullable) {
    const show = showField(field.unwrap());
    return show && ((value) => (value === null ? null : show(value)));
  }
  if (field instanceof z.ZodArray) {
    const show = showField(field.element);
    return show && ((value) => (value as readonly unknown[]).map(show));
  }
  return field instanceof z.ZodObject ? showFields(field.shape) : null;
}

function showFields(fields: Readonly<Record<string, z.core.$ZodType>>): Show {
  const shown = Object.entries(fields).map(([key, field]) => ({
    key,
    name: jsonKey(key),
    show: showField(field),
  }));
  return (value) => {
    const json: Record<string, unknown> = {};
    for (const { key, name, show } of shown) {
      const given = (value as Readonly<Record<string, unknown>>)[key];
      json[name] = show === null ? given : show(given);
    }
    return json;
  };
}
