/** Builds the environment and the configuration that every git process of the orchestrator gets. */
import { isForgeToken } from "../../domain/forge/token-names.ts";
import { type ConfigPairs, hardenedSettings } from "../../domain/git-policy/hardening/settings.ts";
import { configVariables, hardenedVariables } from "../../domain/git-policy/hardening/variables.ts";
import { trustedPath } from "../../utils/paths/trusted-path.ts";

/** `local` reaches no network; `objects` may fetch missing objects of a partial clone; `remote` talks to a remote. */
export type GitAccess = "local" | "objects" | "remote";

/** Credentials for one call, which then asks no other source. */
export interface LentCredentials {
  /** The value of `credential.helper`. */
  readonly helper: string;
  /** What that helper reads; no other process of ours gets it. */
  readonly env: Readonly<Record<string, string>>;
}

interface GitEnvironment {
  /** The user's environment, as Tazuna received it. */
  readonly userEnv: Readonly<Record<string, string>>;
  readonly access: GitAccess;
  /** A folder whose programs never run: PATH entries inside it are left out. */
  readonly workTree: string | null;
  /**
   * Absolute: the folder of objects and references, even if `commondir` names another. Null if git finds the repository
   * itself.
   */
  readonly commonDir: string | null;
  /** Whether git may derive an author from the names of the account and the machine. */
  readonly identity: "given" | "guessed";
  /** Further configuration for this one call. */
  readonly config: ConfigPairs;
  /** Used instead of the configured credential helpers, because git would give them its answer to store. */
  readonly lent: LentCredentials | null;
  /** Variables of this one call, set last, such as a temporary index. */
  readonly extraEnv: Readonly<Record<string, string>>;
}

/**
 * Builds the environment of one git process: the user's own, but of `GIT_*` only `KEPT_VARIABLES`. Further variables
 * keep git from needing a person, a pager, a hook or a helper process of the repository.
 */
export function gitEnvironment(options: GitEnvironment): Record<string, string> {
  const { access, config, lent, extraEnv } = options;
  const caller = access === "local" ? "engine-local" : "engine";
  const pairs = { ...hardenedSettings(caller), ...identityConfig(options), ...config };
  return {
    ...inheritedVariables(options),
    ...hardenedVariables(caller),
    ...(access === "local" ? {} : sshVariables(options.userEnv)),
    ...configVariables([...Object.entries(pairs), ...lentConfig(lent)]),
    ...lent?.env,
    ...(options.commonDir === null ? {} : { GIT_COMMON_DIR: options.commonDir }),
    ...extraEnv,
  };
}

/** The `GIT_*` variables that only locate the user's own configuration, identity and certificates. */
const KEPT_VARIABLES: ReadonlySet<string> = new Set([
  ...["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"],
  ...["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"],
  ...["GIT_SSH", "GIT_SSH_VARIANT"],
  ...[
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
    "GIT_SSL_CERT",
    "GIT_SSL_CERT_TYPE",
    "GIT_SSL_KEY",
    "GIT_SSL_KEY_TYPE",
  ],
  ...["GIT_SSL_NO_VERIFY", "GIT_PROXY_SSL_CAINFO", "GIT_PROXY_SSL_CERT", "GIT_PROXY_SSL_KEY"],
  "GIT_HTTP_PROXY_AUTHMETHOD",
]);

/** They let a window or a terminal ask for a passphrase. Without them nothing can wait for a person. */
const DROPPED_VARIABLES: ReadonlySet<string> = new Set([
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "GPG_TTY",
  "SSH_ASKPASS",
  // Its address may hold a password.
  "TAZUNA_DATABASE",
  "TAZUNA_LOGS_SECRET_KEY",
]);

/** An address in EMAIL is the user's own. Git then invents none, and this setting would stop git from using EMAIL. */
function identityConfig({ identity, userEnv }: GitEnvironment): ConfigPairs {
  return identity === "guessed" || userEnv.EMAIL ? {} : { "user.useConfigOnly": "true" };
}

function inheritedVariables({ userEnv, workTree, access }: GitEnvironment): Record<string, string> {
  const kept = Object.entries(userEnv).filter(
    ([name]) =>
      (!name.startsWith("GIT_") || KEPT_VARIABLES.has(name)) &&
      !DROPPED_VARIABLES.has(name) &&
      // The user's own helpers may read them (`gh auth git-credential`). Only network calls ask these helpers.
      (access !== "local" || !isForgeToken(name)),
  );
  return { ...Object.fromEntries(kept), PATH: trustedPath(userEnv.PATH ?? "", workTree) };
}

/** The user's own ssh command, with prompts switched off. Without one, the configured `core.sshCommand` counts. */
function sshVariables(userEnv: Readonly<Record<string, string>>): Record<string, string> {
  const command = userEnv.GIT_SSH_COMMAND;
  if (command === undefined || command === "") return {};
  const program = command.trim().split(/\s+/, 1)[0] ?? "";
  const isOpenSsh = /(^|\/)ssh$/.test(program);
  return { GIT_SSH_COMMAND: isOpenSsh ? `${command} -oBatchMode=yes` : command };
}

/** An empty helper clears all configured ones, also those for a single address. */
function lentConfig(lent: LentCredentials | null): readonly (readonly [string, string])[] {
  return lent === null ? [] : ["", lent.helper].map((helper) => ["credential.helper", helper] as const);
}
