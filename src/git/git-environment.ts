/** Builds the environment and the configuration that every git process of the orchestrator gets. */
import { delimiter, isAbsolute, sep } from "node:path";
import { isForgeToken } from "../domain/forge/token-names.ts";

/** `local` reaches no network; `objects` may fetch missing objects of a partial clone; `remote` talks to a remote. */
export type GitAccess = "local" | "objects" | "remote";

/** Git configuration as key and value; it outranks every configuration file. */
export type ConfigPairs = Readonly<Record<string, string>>;

/** What a call gets that asks nobody else for credentials. */
export interface LentCredentials {
  /** As `credential.helper`. */
  readonly helper: string;
  /** What that helper reads; no other process of ours has it. */
  readonly env: Readonly<Record<string, string>>;
}

export interface GitEnvironment {
  /** The user's environment, as it was handed to Tazuna. */
  readonly userEnv: Readonly<Record<string, string>>;
  readonly access: GitAccess;
  /** Folder whose programs are never run: entries of PATH inside it are left out. */
  readonly workTree: string | null;
  /** Absolute: where objects and references lie, whatever the file `commondir` says; null where git finds the repository. */
  readonly commonDir: string | null;
  /** Whether git may make up who a commit is by, from the names of the account and the machine. */
  readonly identity: "given" | "guessed";
  /** Further configuration of this one call. */
  readonly config: ConfigPairs;
  /** Instead of the credential helpers of the configuration, which would be told to store what it answers. */
  readonly lent: LentCredentials | null;
  /** Variables of this one call, set last, such as a temporary index. */
  readonly extraEnv: Readonly<Record<string, string>>;
}

/**
 * The environment of one git process: the user's own without any `GIT_*` but those of `KEPT_VARIABLES`, then what makes
 * git answer without a person, a pager, a hook or a helper process of the repository (product contract, "Hooks, signing, identity").
 */
export function gitEnvironment(options: GitEnvironment): Record<string, string> {
  const { access, config, lent, extraEnv } = options;
  const pairs = {
    ...FIXED_CONFIG,
    ...(access === "local" ? LOCAL_CONFIG : {}),
    ...identityConfig(options),
    ...config,
  };
  return {
    ...inheritedVariables(options),
    ...FIXED_VARIABLES,
    ...(access === "local" ? LOCAL_VARIABLES : sshVariables(options.userEnv)),
    ...configVariables([...Object.entries(pairs), ...lentConfig(lent)]),
    ...lent?.env,
    ...(options.commonDir === null ? {} : { GIT_COMMON_DIR: options.commonDir }),
    ...extraEnv,
  };
}

/** The `GIT_*` variables that only say where the user's own configuration, identity and certificates are. */
const KEPT_VARIABLES: ReadonlySet<string> = new Set([
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_NOSYSTEM",
  "GIT_AUTHOR_NAME",
  "GIT_AUTHOR_EMAIL",
  "GIT_COMMITTER_NAME",
  "GIT_COMMITTER_EMAIL",
  "GIT_SSH",
  "GIT_SSH_VARIANT",
  "GIT_SSL_CAINFO",
  "GIT_SSL_CAPATH",
  "GIT_SSL_CERT",
  "GIT_SSL_CERT_TYPE",
  "GIT_SSL_KEY",
  "GIT_SSL_KEY_TYPE",
  "GIT_SSL_NO_VERIFY",
  "GIT_PROXY_SSL_CAINFO",
  "GIT_PROXY_SSL_CERT",
  "GIT_PROXY_SSL_KEY",
  "GIT_HTTP_PROXY_AUTHMETHOD",
]);

/** A window or a terminal could be asked for a passphrase; without them nothing can wait for a person. */
const DROPPED_VARIABLES: ReadonlySet<string> = new Set([
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "GPG_TTY",
  "SSH_ASKPASS",
  // Its address may hold a password.
  "TAZUNA_DATABASE",
]);

const FIXED_VARIABLES: Readonly<Record<string, string>> = {
  LC_ALL: "C",
  GIT_TERMINAL_PROMPT: "0",
  // Empty, not a program: git then says "terminal prompts disabled" instead of sending an empty password.
  GIT_ASKPASS: "",
  SSH_ASKPASS_REQUIRE: "never",
  GCM_INTERACTIVE: "never",
  GIT_EDITOR: "true",
  GIT_SEQUENCE_EDITOR: "true",
  GIT_PAGER: "cat",
  PAGER: "cat",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_MERGE_AUTOEDIT: "no",
  GIT_ADVICE: "0",
  // What is compared, judged and pushed are the commits themselves, never what stands in for them here.
  GIT_NO_REPLACE_OBJECTS: "1",
  // Not there, without a word: of an empty file git says that it is out of date.
  GIT_GRAFT_FILE: "/dev/null/none",
};

const LOCAL_VARIABLES: Readonly<Record<string, string>> = {
  GIT_NO_LAZY_FETCH: "1",
  // A list of protocols: none of that name exists.
  GIT_ALLOW_PROTOCOL: "none",
};

const FIXED_CONFIG: ConfigPairs = {
  "core.fsmonitor": "false",
  "core.hooksPath": "/dev/null",
  "core.pager": "cat",
  "core.editor": "true",
  "sequence.editor": "true",
  "core.quotePath": "false",
  // It lies in the index, and may say that there is nothing new.
  "core.untrackedCache": "false",
  // The user's own git holds the lock of a reference for an instant; on a busy machine that is longer than git's 0.1 s.
  "core.filesRefLockTimeout": "1000",
  // `exit 0 #` names no reference; an empty command would be run as a program.
  "core.alternateRefsCommand": "exit 0 #",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "submodule.recurse": "false",
  "fetch.recurseSubmodules": "false",
  "fetch.pruneTags": "false",
  "fetch.writeCommitGraph": "false",
  "push.recurseSubmodules": "no",
  "push.followTags": "false",
  "diff.external": "",
  "diff.ignoreSubmodules": "none",
  "interactive.diffFilter": "",
  "log.showSignature": "false",
  "color.ui": "false",
  "rerere.enabled": "false",
  "merge.autoStash": "false",
  "commit.cleanup": "whitespace",
  "credential.interactive": "false",
  "protocol.ext.allow": "never",
  "advice.addEmbeddedRepo": "false",
  "advice.detachedHead": "false",
  "advice.pushUpdateRejected": "false",
  "advice.resolveConflict": "false",
  "advice.updateSparsePath": "false",
};

const LOCAL_CONFIG: ConfigPairs = {
  "credential.helper": "",
  "core.sshCommand": "false",
};

/** An address in EMAIL is the user's own: git makes none up then, and this setting would keep it from taking that one. */
function identityConfig({ identity, userEnv }: GitEnvironment): ConfigPairs {
  return identity === "guessed" || userEnv.EMAIL ? {} : { "user.useConfigOnly": "true" };
}

function inheritedVariables({ userEnv, workTree, access }: GitEnvironment): Record<string, string> {
  const kept = Object.entries(userEnv).filter(
    ([name]) =>
      (!name.startsWith("GIT_") || KEPT_VARIABLES.has(name)) &&
      !DROPPED_VARIABLES.has(name) &&
      // The user's own helpers may read them (`gh auth git-credential`), and are asked by network calls only.
      (access !== "local" || !isForgeToken(name)),
  );
  return { ...Object.fromEntries(kept), PATH: trustedPath(userEnv.PATH ?? "", workTree) };
}

/** PATH with absolute entries only and none inside the worktree, where an agent could plant a program. */
function trustedPath(path: string, workTree: string | null): string {
  const inside = (entry: string) =>
    workTree !== null && (entry === workTree || entry.startsWith(workTree + sep));
  return path
    .split(delimiter)
    .filter((entry) => isAbsolute(entry) && !inside(entry))
    .join(delimiter);
}

/** The user's own ssh command, told not to ask. Without one, `core.sshCommand` of the configuration counts. */
function sshVariables(userEnv: Readonly<Record<string, string>>): Record<string, string> {
  const command = userEnv.GIT_SSH_COMMAND;
  if (command === undefined || command === "") return {};
  const program = command.trim().split(/\s+/, 1)[0] ?? "";
  const isOpenSsh = /(^|\/)ssh$/.test(program);
  return { GIT_SSH_COMMAND: isOpenSsh ? `${command} -oBatchMode=yes` : command };
}

/** An empty helper forgets all that are configured, those of a single address too. */
function lentConfig(lent: LentCredentials | null): readonly (readonly [string, string])[] {
  return lent === null ? [] : ["", lent.helper].map((helper) => ["credential.helper", helper] as const);
}

/** Pairs and not an object: of a key that is there twice, git adds the second value to the first. */
function configVariables(entries: readonly (readonly [string, string])[]): Record<string, string> {
  return {
    GIT_CONFIG_COUNT: String(entries.length),
    ...Object.fromEntries(
      entries.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}
