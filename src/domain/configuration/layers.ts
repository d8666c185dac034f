/** Joins the layers of the configuration, the strongest first, and records the source of each value. */
import { err, ok, type Result } from "neverthrow";
import { nearestWord } from "../text/nearest.ts";
import { type Configuration, configurationSchema } from "./schema.ts";

/** One source of settings: a flag, the environment, a file. `values` is its content, not yet checked. */
export interface Layer {
  /** For people: `--base`, `TAZUNA_BASE`, or the file's path. */
  readonly source: string;
  readonly values: unknown;
}

export interface ConfigurationError {
  readonly source: string;
  /** Dotted, such as `limits.paralel`; empty for the whole document. */
  readonly key: string;
  /** In the file, from 1, if it is known. */
  readonly line?: number;
  readonly message: string;
}

export interface EffectiveConfiguration {
  readonly values: Configuration;
  /** Dotted key of a leaf → its layer; a key that is absent has its default. */
  readonly sources: ReadonlyMap<string, string>;
}

/** A list replaces a weaker list as a whole. Objects are joined key by key, except that `agents.NAME` is one value. */
export function joinLayers(
  strongestFirst: readonly Layer[],
): Result<EffectiveConfiguration, ConfigurationError> {
  for (const layer of strongestFirst) {
    const fault = faultOf(layer);
    if (fault !== null) return err(fault);
  }
  const sources = new Map<string, string>();
  let joined: Record<string, unknown> = {};
  for (const layer of [...strongestFirst].reverse()) {
    joined = join(joined, layer.values as Record<string, unknown>, "", (key) =>
      sources.set(key, layer.source),
    );
  }
  return ok({ values: configurationSchema.parse(joined), sources });
}

/** The faults of one layer by itself, in words that name the key. */
function faultOf(layer: Layer): ConfigurationError | null {
  if (!isObject(layer.values)) return { source: layer.source, key: "", message: "it is not a JSON object" };
  const parsed = configurationSchema.safeParse(layer.values);
  const issue = parsed.error?.issues[0];
  if (issue === undefined) return null;
  const key = issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    const unknown = issue.keys[0] ?? "";
    const full = key === "" ? unknown : `${key}.${unknown}`;
    const near = nearestWord(unknown, knownKeys(issue.path));
    const hint = near === null ? "" : `; did you mean "${near}"?`;
    return { source: layer.source, key: full, message: `unknown key "${full}"${hint}` };
  }
  const { message } = issue.code === "invalid_key" ? (issue.issues[0] ?? issue) : issue;
  return { source: layer.source, key, message: `"${key}": ${message.replace(/^Invalid input: /, "")}` };
}

/** The keys that may stand at `path`, read from the defaults and, for lists and agents, from a sample. */
function knownKeys(path: readonly PropertyKey[]): string[] {
  const sample = configurationSchema.parse({
    checks: [{ name: "x", run: "x" }],
    agents: { x: { executor: "x" } },
  });
  let at: unknown = sample;
  for (const part of path) {
    if (Array.isArray(at)) at = at[0];
    else if (isObject(at)) at = part in at ? at[String(part)] : Object.values(at)[0];
  }
  return isObject(at) ? Object.keys(at) : [];
}

function join(
  weak: Record<string, unknown>,
  strong: Record<string, unknown>,
  prefix: string,
  note: (key: string) => void,
): Record<string, unknown> {
  const joined = { ...weak };
  for (const [key, value] of Object.entries(strong)) {
    const full = prefix === "" ? key : `${prefix}.${key}`;
    const below = joined[key];
    if (isObject(value) && prefix !== "agents") {
      joined[key] = join(isObject(below) ? below : {}, value, full, note);
      continue;
    }
    joined[key] = value;
    note(full);
  }
  return joined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
