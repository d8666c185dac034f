/** Builds the environment of a git process of the tools. */
import { type ConfigPairs, hardenedSettings } from "../../../domain/git-policy/hardening/settings.ts";
import { configVariables, hardenedVariables } from "../../../domain/git-policy/hardening/variables.ts";
import { trustedPath } from "../../../utils/paths/trusted-path.ts";
import type { GitExtras } from "../../core/context.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

interface EnvironmentOptions {
  /** Programs inside this folder are never found on PATH. */
  readonly workspaceRoot: string;
  readonly inherited: Variables;
  /** Settings for this repository, beside the fixed ones. */
  readonly config: ConfigPairs;
}

/**
 * The caller's variables without any `GIT_*`, then ours. No ceiling is set, because
 * the workspace may lie in a larger repository.
 */
export function readingEnvironment({ inherited, workspaceRoot, config }: EnvironmentOptions): Variables {
  const kept = Object.entries(inherited).filter(([name]) => !name.toUpperCase().startsWith("GIT_"));
  return {
    ...trusted(Object.fromEntries(kept), workspaceRoot),
    ...hardenedVariables("tools-reading"),
    ...configVariables(Object.entries({ ...hardenedSettings("tools-reading"), ...config })),
  };
}

/**
 * Only the listed variables of the caller, then ours, which allow no remote. Git looks for no repository in
 * `ceiling` or above.
 */
export function guardedEnvironment({
  ceiling,
  extras,
  ...options
}: EnvironmentOptions & {
  readonly ceiling: string | null;
  readonly extras: Required<GitExtras>;
}): Variables {
  const { inherited, workspaceRoot, config } = options;
  const kept = Object.entries(inherited).filter(([name]) => PASSED_VARIABLES.has(name.toUpperCase()));
  return {
    ...trusted(Object.fromEntries(kept), workspaceRoot),
    ...hardenedVariables("tools"),
    ...(ceiling === null ? {} : { GIT_CEILING_DIRECTORIES: ceiling }),
    ...configVariables(Object.entries({ ...fixedConfig(extras), ...config })),
  };
}

/** The fixed settings, without those that would disable what the owner of the context allows. */
function fixedConfig({ hooks, credentials }: Required<GitExtras>): ConfigPairs {
  const wanted = [
    ...(hooks === "run" ? ["core.hooksPath"] : []),
    ...(credentials === "user" ? ["credential.helper"] : []),
  ];
  return Object.fromEntries(
    Object.entries(hardenedSettings("tools")).filter(([key]) => !wanted.includes(key)),
  );
}

function trusted(variables: Variables, workspaceRoot: string): Variables {
  const entries = Object.entries(variables).map(([name, value]) => {
    const isPath = name.toUpperCase() === "PATH" && value !== undefined;
    return [name, isPath ? trustedPath(value, workspaceRoot) : value];
  });
  return Object.fromEntries(entries);
}

/** The protocols for remotes. They also apply to submodules, whose addresses come from a file of the tree. */
export const REMOTE_PROTOCOLS = "https:ssh";
/** The protocols for a remote on this machine that was checked. */
export const LOCAL_PROTOCOLS = `${REMOTE_PROTOCOLS}:file`;

/** All that `git_command` takes from the caller: places of programs, user settings and keys, and the time zone. */
const PASSED_VARIABLES: ReadonlySet<string> = new Set([
  ...["PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "TMP", "TEMP", "TZ", "XDG_CONFIG_HOME", "SSH_AUTH_SOCK"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR"],
  ...["SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "HOMEDRIVE", "HOMEPATH"],
  ...["APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES"],
]);
