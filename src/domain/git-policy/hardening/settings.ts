/** Holds the one table of git settings that harden a git process, for the engine and for the tools. */

/** Git configuration as key and value. It overrides every configuration file. */
export type ConfigPairs = Readonly<Record<string, string>>;

/**
 * Which part of the product starts the git process. `engine`: the orchestrator, on a repository that a person
 * registered. `engine-local`: the same without a network. `tools`: a tool, in a workspace that an agent writes to.
 * `tools-reading`: only a status.
 */
export type GitCaller = "engine" | "engine-local" | "tools" | "tools-reading";

interface HardenedSettings {
  readonly callers: readonly GitCaller[];
  /** Why these callers need them and the others do not. */
  readonly why: string;
  readonly settings: ConfigPairs;
}

const ENGINE = ["engine", "engine-local"] as const;
const TOOLS = ["tools"] as const;
const EVERYBODY = ["engine", "engine-local", "tools", "tools-reading"] as const;
const ALL_BUT_STATUS = ["engine", "engine-local", "tools"] as const;

/** A setting is in several rows only if its callers need different values. */
export const HARDENED_SETTINGS: readonly HardenedSettings[] = [
  {
    callers: EVERYBODY,
    why: "A repository must run nothing of its own beside git.",
    settings: { "core.fsmonitor": "false", "core.hooksPath": "/dev/null" },
  },
  {
    callers: ALL_BUT_STATUS,
    why: "The same, for programs that a status never starts.",
    settings: {
      "core.pager": "cat",
      "core.editor": "true",
      "sequence.editor": "true",
      // `exit 0 #` prints no reference. An empty command would be run as a program.
      "core.alternateRefsCommand": "exit 0 #",
      "diff.external": "",
      "interactive.diffFilter": "",
      "log.showSignature": "false",
      "protocol.ext.allow": "never",
    },
  },
  {
    callers: ALL_BUT_STATUS,
    why: "A call does what it names: nothing in submodules, in the background or in the stash.",
    settings: {
      "submodule.recurse": "false",
      "fetch.recurseSubmodules": "false",
      "push.recurseSubmodules": "no",
      "gc.auto": "0",
      "maintenance.auto": "false",
      // A stash may lose untracked files.
      "merge.autoStash": "false",
    },
  },
  {
    callers: ALL_BUT_STATUS,
    why: "Messages are given and read as UTF-8. With another encoding git would label them wrongly, or convert them.",
    settings: { "i18n.commitEncoding": "UTF-8", "i18n.logOutputEncoding": "UTF-8" },
  },
  {
    callers: ["engine-local"],
    why: "A call that reaches no network asks for no password. Others use the user's own helpers and ssh.",
    settings: { "credential.helper": "", "core.sshCommand": "false" },
  },
  {
    callers: ENGINE,
    why: "The engine reads what git prints. A tool hands it to an agent, and names these options in the call.",
    settings: {
      "core.quotePath": "false",
      "color.ui": "false",
      "advice.addEmbeddedRepo": "false",
      "advice.detachedHead": "false",
      "advice.pushUpdateRejected": "false",
      "advice.resolveConflict": "false",
      "advice.updateSparsePath": "false",
    },
  },
  {
    callers: ENGINE,
    why: "The engine proves what an agent left. Settings must hide nothing of it, and add no file that was only touched.",
    settings: {
      "core.untrackedCache": "false",
      "diff.autoRefreshIndex": "true",
      "diff.ignoreSubmodules": "none",
      "status.showUntrackedFiles": "normal",
    },
  },
  {
    callers: ENGINE,
    why: "The engine publishes and merges for the user. The user's own habits must add nothing to it.",
    settings: {
      "fetch.pruneTags": "false",
      "fetch.writeCommitGraph": "false",
      "push.followTags": "false",
      "rerere.enabled": "false",
      "commit.cleanup": "whitespace",
      "credential.interactive": "false",
    },
  },
  {
    callers: ENGINE,
    why: "The user's own git holds the lock of a reference for an instant. That can be longer than git's 0.1 s.",
    settings: { "core.filesRefLockTimeout": "1000" },
  },
  {
    callers: ["tools", "tools-reading"],
    why: "An agent can plant a bare repository in its workspace. The engine always names the git directory.",
    settings: { "safe.bareRepository": "explicit" },
  },
  {
    callers: TOOLS,
    why: "A repository that an agent writes to may name these programs. The engine refuses settings that were planted.",
    settings: {
      "core.sshCommand": "ssh",
      "core.gitProxy": "",
      "core.askPass": "",
      "credential.helper": "",
      "uploadpack.packObjectsHook": "",
      // For a submodule's diff, git would run in the submodule, by that submodule's configuration.
      "diff.submodule": "short",
      // If git repeats a merge to show it, a call that only reads would run merge drivers.
      "log.diffMerges": "separate",
      "status.submoduleSummary": "false",
      "commit.template": "",
      "init.templateDir": "",
    },
  },
  {
    callers: TOOLS,
    why: "A tool signs nothing, so no signing program starts. The engine signs as the user configured.",
    settings: {
      "commit.gpgSign": "false",
      "tag.gpgSign": "false",
      "push.gpgSign": "false",
      "gpg.program": "false",
      "gpg.openpgp.program": "false",
      "gpg.ssh.program": "false",
      "gpg.x509.program": "false",
      "gpg.ssh.defaultKeyCommand": "false",
    },
  },
  {
    callers: TOOLS,
    why: "An agent chooses the words of the call, and must lose nothing by them. The engine makes no such calls.",
    settings: {
      // Only the reflog keeps commits that were amended or reset away.
      "core.logAllRefUpdates": "true",
      // Some systems take other names for .git, and a file of such a name would become git's own.
      "core.protectHFS": "true",
      "core.protectNTFS": "true",
      // If a call asks for it by name, files in the way are checked.
      "am.threeWay": "false",
      "rebase.autoStash": "false",
      "clean.requireForce": "true",
    },
  },
  {
    callers: TOOLS,
    why: "An agent chooses the address. The engine uses the user's remotes, with every protocol that they configured.",
    settings: {
      "protocol.allow": "never",
      "protocol.https.allow": "always",
      "protocol.ssh.allow": "always",
      "protocol.file.allow": "user",
      "http.followRedirects": "false",
      "http.saveCookies": "false",
    },
  },
];

/** The settings for every process of this caller. */
export function hardenedSettings(caller: GitCaller): ConfigPairs {
  const rows = HARDENED_SETTINGS.filter(({ callers }) => callers.includes(caller));
  return Object.assign({}, ...rows.map(({ settings }) => settings));
}

/** Turns filters off. Git then compares and stores a file unchanged. */
export function filtersOff(names: readonly string[]): ConfigPairs {
  return Object.fromEntries(
    names.flatMap((name) => [
      [`filter.${name}.clean`, ""],
      [`filter.${name}.smudge`, ""],
      [`filter.${name}.process`, ""],
      [`filter.${name}.required`, "false"],
    ]),
  );
}
