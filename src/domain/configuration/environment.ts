/** Reads configuration out of environment variables: `TAZUNA_BASE`, `TAZUNA_LIMITS_PARALLEL` and the like. */
import { z } from "zod";
import { TASK_SETTINGS, type TaskSettings, variableFor } from "../task/task-settings.ts";
import type { Layer } from "./layers.ts";
import { configurationSchema } from "./schema.ts";

type Settable = ReadonlyMap<string, { readonly key: string; readonly kind: "text" | "number" | "boolean" }>;

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

function settingOf(raw: string, kind: "text" | "number" | "boolean"): unknown {
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
  const schema = z.toJSONSchema(configurationSchema, { io: "input" });
  const found = new Map<string, { key: string; kind: "text" | "number" | "boolean" }>();
  const walk = (node: JsonSchemaNode, path: string): void => {
    for (const [name, child] of Object.entries(node.properties ?? {})) {
      const key = path === "" ? name : `${path}.${name}`;
      const types = [child.type, ...(child.anyOf ?? []).map((option) => option.type)].filter(Boolean);
      if (types.includes("object")) walk(child, key);
      else if (types.includes("number") || types.includes("integer"))
        found.set(variableFor(key), { key, kind: "number" });
      else if (types.includes("boolean")) found.set(variableFor(key), { key, kind: "boolean" });
      else if (types.includes("string")) found.set(variableFor(key), { key, kind: "text" });
    }
  };
  walk(schema as JsonSchemaNode, "");
  return found;
}

interface JsonSchemaNode {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchemaNode>>;
  readonly anyOf?: readonly JsonSchemaNode[];
}
