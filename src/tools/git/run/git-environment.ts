/** Builds the environment of a git process of the tools. */
import { delimiter, isAbsolute, sep } from "node:path";
import type { GitExtras } from "../../core/context.ts";
import {
  type ConfigPairs,
  FULL_CONFIG,
  FULL_VARIABLES,
  PASSED_VARIABLES,
  READING_CONFIG,
  READING_VARIABLES,
} from "./hardening.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

interface EnvironmentOptions {
  /** Programs that lie in it are never found on PATH. */
  readonly workspaceRoot: string;
  readonly inherited: Variables;
  /** Of this repository, beside what is fixed. */
  readonly config: ConfigPairs;
}

/**
 * The caller's variables without any `GIT_*`, then ours (product contract, section 13; no ceiling: the workspace may lie
 * in a larger repository).
 */
export function readingEnvironment({ inherited, workspaceRoot, config }: EnvironmentOptions): Variables {
  const kept = Object.entries(inherited).filter(([name]) => !name.toUpperCase().startsWith("GIT_"));
  return {
    ...trusted(Object.fromEntries(kept), workspaceRoot),
    ...READING_VARIABLES,
    ...configVariables({ ...READING_CONFIG, ...config }),
  };
}

/** Nothing but what is named, then ours. `ceiling` is the folder above which git looks for no repository. */
export function guardedEnvironment({
  protocols,
  ceiling,
  extras,
  ...options
}: EnvironmentOptions & {
  /** A list as git takes it; null where it is to reach no remote. */
  readonly protocols: string | null;
  readonly ceiling: string | null;
  readonly extras: Required<GitExtras>;
}): Variables {
  const { inherited, workspaceRoot, config } = options;
  const kept = Object.entries(inherited).filter(([name]) => PASSED_VARIABLES.has(name.toUpperCase()));
  return {
    ...trusted(Object.fromEntries(kept), workspaceRoot),
    ...FULL_VARIABLES,
    ...(protocols === null ? {} : { GIT_ALLOW_PROTOCOL: protocols }),
    ...(ceiling === null ? {} : { GIT_CEILING_DIRECTORIES: ceiling }),
    ...configVariables({ ...fixedConfig(extras), ...config }),
  };
}

/** Without what the owner of the context wants to have. */
function fixedConfig({ hooks, credentials }: Required<GitExtras>): ConfigPairs {
  const wanted = [
    ...(hooks === "run" ? ["core.hooksPath"] : []),
    ...(credentials === "user" ? ["credential.helper"] : []),
  ];
  return Object.fromEntries(Object.entries(FULL_CONFIG).filter(([key]) => !wanted.includes(key)));
}

/** PATH with absolute entries only and none in the workspace, where an agent could have put a program. */
function trusted(variables: Variables, workspaceRoot: string): Variables {
  const inside = (entry: string) => entry === workspaceRoot || entry.startsWith(workspaceRoot + sep);
  const entries = Object.entries(variables).map(([name, value]) => {
    if (name.toUpperCase() !== "PATH" || value === undefined) return [name, value];
    const kept = value.split(delimiter).filter((entry) => isAbsolute(entry) && !inside(entry));
    return [name, kept.join(delimiter)];
  });
  return Object.fromEntries(entries);
}

function configVariables(pairs: ConfigPairs): Variables {
  const entries = Object.entries(pairs);
  const numbered = entries.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(entries.length), ...Object.fromEntries(numbered) };
}
