/** Reads configuration out of environment variables: `TAZUNA_BASE`, `TAZUNA_LIMITS_PARALLEL` and the like. */
import { z } from "zod";
import { TASK_SETTINGS, type TaskSettings, variableFor } from "../task/task-settings.ts";
import type { Layer } from "./layers.ts";
import { configurationSchema } from "./schema.ts";

type Kind = "text" | "number" | "boolean";
type Settable = ReadonlyMap<string, { readonly key: string; readonly kind: Kind }>;

let found: Settable | null = null;

/** Keys that a variable can set: every single text, number or boolean; not lists and agents. */
function settable(): Settable {
  found ??= findSettable();
  return found;
}

/** Every variable that sets a key. */
export function settableVariables(): readonly string[] {
  return [...settable().keys()];
}

/** The names that variables of file-only keys would have: lists, agents and the like. */
export function unsettableVariables(): readonly string[] {
  return Object.keys(configurationSchema.shape)
    .map(variableFor)
    .filter((name) => !settable().has(name));
}

/** One layer per variable that is set, so that a fault names the variable. */
export function layersFromEnvironment(env: Readonly<Record<string, string | undefined>>): Layer[] {
  const layers: Layer[] = [];
  for (const [variable, { key, kind }] of settable()) {
    const raw = env[variable];
    if (raw === undefined || raw === "") continue;
    layers.push({ source: variable, values: nest(key.split("."), settingOf(raw, kind)) });
  }
  return layers;
}

/** One layer per setting that came with a task; a fault names the variable that a person would set. */
export function layersFromSettings(settings: TaskSettings): Layer[] {
  return TASK_SETTINGS.flatMap((key) => {
    const value = settings[key];
    const kind = settable().get(variableFor(key))?.kind;
    if (value === undefined || kind === undefined) return [];
    const setting = typeof value === "string" ? settingOf(value, kind) : value;
    return [{ source: variableFor(key), values: nest(key.split("."), setting) }];
  });
}

function settingOf(raw: string, kind: Kind): unknown {
  if (kind === "number") return raw.trim() === "" || Number.isNaN(Number(raw)) ? raw : Number(raw);
  if (kind === "boolean")
    return raw === "true" || raw === "1" ? true : raw === "false" || raw === "0" ? false : raw;
  return raw;
}

function nest(path: readonly string[], value: unknown): Record<string, unknown> {
  const [first = "", ...rest] = path;
  return { [first]: rest.length === 0 ? value : nest(rest, value) };
}

function findSettable(): Settable {
  const found = new Map<string, { key: string; kind: Kind }>();
  const walk = (schema: z.core.$ZodType, path: readonly string[]): void => {
    const bare = unwrapped(schema);
    if (bare instanceof z.ZodObject)
      for (const [name, child] of Object.entries(bare.shape)) walk(child, [...path, name]);
    const [key, kind] = [path.join("."), kindOf(bare)];
    if (kind !== null) found.set(variableFor(key), { key, kind });
  };
  walk(configurationSchema, []);
  return found;
}

/** A schema without its default, and without the leave to be null or missing. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodNullable
    ? unwrapped(schema.def.innerType)
    : schema;
}

function kindOf(schema: z.core.$ZodType): Kind | null {
  if (schema instanceof z.ZodUnion) return schema.options.map(kindOf).find((kind) => kind !== null) ?? null;
  if (schema instanceof z.ZodNumber) return "number";
  if (schema instanceof z.ZodBoolean) return "boolean";
  return schema instanceof z.ZodString || schema instanceof z.ZodEnum ? "text" : null;
}
