/** Puts one value into the text of a configuration file, or takes it out. Refuses a result that is not valid. */
import { err, ok, type Result } from "neverthrow";
import { createRedactor, secretValues } from "../agent/redact.ts";
import { removeFromJson, setInJson } from "../text/json-edit.ts";
import { type ConfigurationError, joinLayers } from "./layers.ts";

interface SetValue {
  /** The file, as messages name it. */
  readonly source: string;
  /** Valid JSON, an object. */
  readonly text: string;
  /** Dotted. */
  readonly key: string;
  /** JSON, or a plain text. Null takes the key out: what other files and the defaults say holds again. */
  readonly value: string | null;
}

type SetError =
  | { readonly kind: "bad_value"; readonly error: ConfigurationError }
  /** The value is a secret; the configuration should hold none. */
  | { readonly kind: "secret" };

interface ValueSet {
  readonly text: string;
  /** Undefined if it is not in the file now. */
  readonly value: unknown;
  /** The same of the file as it was. */
  readonly before: unknown;
}

/** A value that is JSON counts as such. If the key does not accept that value, it counts as a text. */
export function setValue(change: SetValue): Result<ValueSet, SetError> {
  const path = pathOf(change.key);
  const before = valueAt(JSON.parse(change.text), path);
  if (change.value === null) {
    const text = removeFromJson(change.text, path) ?? change.text;
    return joinLayers([{ source: change.source, values: JSON.parse(text) as unknown }])
      .map(() => ({ text, value: undefined, before }))
      .mapErr((error) => ({ kind: "bad_value", error }) as const);
  }
  if (isSecret(path, change.value)) return err({ kind: "secret" });
  const candidates = candidatesFor(change.value);
  let first: ConfigurationError | null = null;
  for (const value of candidates) {
    const text = setInJson(change.text, path, value);
    const joined = joinLayers([{ source: change.source, values: JSON.parse(text) as unknown }]);
    if (joined.isOk()) return ok({ text, value, before });
    first ??= joined.error;
  }
  return err({
    kind: "bad_value",
    error: first ?? { source: change.source, key: change.key, message: "no value" },
  });
}

function valueAt(values: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      typeof at === "object" && at !== null && Object.hasOwn(at, key)
        ? (at as Readonly<Record<string, unknown>>)[key]
        : undefined,
    values,
  );
}

const AGENT_KEYS = ["executor", "model", "command", "args", "home"];

/** The names of agents, and of their variables, may hold dots. */
function pathOf(key: string): readonly string[] {
  const agent = /^agents\.(.+)$/.exec(key)?.[1];
  if (agent === undefined) return key.split(".");
  const variable = /^(.+?)\.env\.(.+)$/.exec(agent);
  if (variable !== null) return ["agents", variable[1] ?? "", "env", variable[2] ?? ""];
  const dot = agent.lastIndexOf(".");
  const last = agent.slice(dot + 1);
  return dot > 0 && [...AGENT_KEYS, "env"].includes(last)
    ? ["agents", agent.slice(0, dot), last]
    : ["agents", agent];
}

/** By its form, or by the name of its variable. */
function isSecret(path: readonly string[], value: string): boolean {
  const named = path.at(-2) === "env" ? secretValues({ [path.at(-1) ?? ""]: value }, { names: [] }) : [];
  return named.length > 0 || createRedactor({ values: [] }).line(value) !== value;
}

/** A quoted value, a list or an object is never meant as a plain text. */
function candidatesFor(value: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(value);
    const isPlain = parsed === null || typeof parsed === "number" || typeof parsed === "boolean";
    return isPlain ? [parsed, value] : [parsed];
  } catch {
    return [value];
  }
}
