/** Holds what the launches of all executors have in common. */
import { join } from "node:path";
import type { UsageTotals } from "../../domain/agent/counters.ts";
import type { AgentConfigPlace, AgentPlaces, AgentProfile, ParserOptions } from "./executor.ts";

/** The program and its first arguments: the profile's own, else the usual name on PATH. */
export function programOf(profile: AgentProfile, usual: string): readonly string[] {
  const [program, ...first] = profile.command ?? [];
  return program === undefined ? [usual] : [program, ...first];
}

/** The profile's variables over ours, and its HOME if it has one; otherwise the user's HOME stays. */
export function launchEnv(
  profile: AgentProfile,
  ours: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return { ...ours, ...homeEnv(profile.home), ...profile.env };
}

/** Another HOME replaces the XDG folders too: those of the user's environment would lead back to the first account. */
export function homeEnv(home: string | null): Readonly<Record<string, string>> {
  if (home === null) return {};
  return {
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local", "share"),
    XDG_STATE_HOME: join(home, ".local", "state"),
    XDG_CACHE_HOME: join(home, ".cache"),
  };
}

/** A program that stores nothing of its own. */
export const NO_PLACES: AgentPlaces = { folders: [], files: [], config: [], own: [] };

/**
 * The places of configuration in an agent's folder. `folders` and `files` may be made empty in advance; the value of
 * a file is its text without effect. `made` are places that only the program can make.
 */
export function configIn(
  folder: string,
  names: {
    readonly folders?: readonly string[];
    readonly files?: Readonly<Record<string, string>>;
    readonly made?: readonly string[];
  },
): readonly AgentConfigPlace[] {
  const { folders = [], files = {}, made = [] } = names;
  const at = (name: string, blank: AgentConfigPlace["blank"]) => ({
    path: join(folder, name),
    folder,
    blank,
  });
  return [
    ...folders.map((name) => at(name, "folder")),
    ...Object.entries(files).map(([name, text]) => at(name, { text })),
    ...made.map((name) => at(name, null)),
  ];
}

/** A JSON settings file that sets nothing. */
export const NOTHING_SET = "{}\n";

/** The folder that a variable names, else one below the home folder. */
export function placeOf(
  env: Readonly<Record<string, string>>,
  variable: string,
  usual: readonly string[],
): string {
  return env[variable] || join(env.HOME ?? "/nonexistent", ...usual);
}

/** A file of the plan, as JSON. */
export function jsonFile(
  path: string,
  content: unknown,
): { readonly path: string; readonly content: string } {
  return { path, content: `${JSON.stringify(content, null, 2)}\n` };
}

/** The counters to subtract. A new session counts from zero, independent of the one before. */
export function countedBefore(options: ParserOptions): UsageTotals | null {
  return options.request?.session.resume === null ? null : options.previous;
}

/**
 * How long a call of an MCP tool may take, in seconds. `ask_person` waits for a person, also while no engine runs. All
 * other tools end by themselves within minutes.
 */
export const TOOL_CALL_S = 60 * 60;
