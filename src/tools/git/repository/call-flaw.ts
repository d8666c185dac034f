/** Decides whether a git call would run a program of the repository that no environment can disable. */
import type { GitCall } from "../../../domain/git-policy/parse/parse-call.ts";
import { has, valuesOf } from "../../../domain/git-policy/table/command-table.ts";
import type { GitTier } from "../../../domain/git-policy/verdicts/verdict.ts";
import type { RepositoryFlaw } from "./find-repository.ts";
import { type ConfigEntry, nameOf } from "./parse-config.ts";
import { isForeignFilter, isLfsProgram } from "./planted-programs.ts";

export interface CallNature {
  readonly subcommand: string;
  readonly call: GitCall;
  readonly tier: GitTier;
  readonly network: boolean;
  readonly allowDestructive: boolean;
  /** Whether credential helpers run at all. */
  readonly credentials: "off" | "user";
}

/** The first setting that forbids the call, or null. */
export function callFlaw(entries: readonly ConfigEntry[], call: CallNature): RepositoryFlaw | null {
  for (const { planted, acts, why } of RULES) {
    if (!acts(call)) continue;
    const found = entries.find(planted);
    if (found !== undefined) return { at: nameOf(found), message: flawMessage(found, call, why) };
  }
  return null;
}

interface Rule {
  planted(entry: ConfigEntry): boolean;
  /** Whether such a call would use the setting. */
  acts(call: CallNature): boolean;
  /** Completes a sentence that begins with the setting. */
  readonly why: string;
}

/** Subcommands that read and write no file of the working tree, and add none to the index. */
const LEAVES_FILES_ALONE: ReadonlySet<string> = new Set([
  ...["log", "show", "branch", "remote", "tag", "rev-parse", "shortlog", "ls-tree", "cat-file", "reflog"],
  ...["fetch", "push", "notes", "init", "clone"],
]);

const MERGES: ReadonlySet<string> = new Set([
  ...["merge", "pull", "rebase", "cherry-pick", "revert", "stash", "am", "apply", "submodule"],
]);
const MERGES_WHEN_ASKED: ReadonlySet<string> = new Set(["checkout", "switch", "restore"]);

/** These may repeat a merge to show it, and then filters may normalize it. */
const MERGES_TO_SHOW: ReadonlySet<string> = new Set(["log", "show", "reflog"]);
const mergesToShow = ({ subcommand, call }: CallNature) =>
  MERGES_TO_SHOW.has(subcommand) &&
  (has(call, "remerge-diff") || valuesOf(call, "diff-merges").some((value) => /^r(?:emerge)?$/.test(value)));

const runsFilters = (call: CallNature) => !LEAVES_FILES_ALONE.has(call.subcommand) || mergesToShow(call);
const talks = ({ network }: CallNature) => network;

const RULES: readonly Rule[] = [
  { planted: isForeignFilter, acts: runsFilters, why: "would run a program on files" },
  {
    planted: isLfsProgram,
    acts: (call) => runsFilters(call) || call.network,
    why: "would run a program for Git LFS",
  },
  {
    planted: ({ section, key, value }) => section === "merge" && key === "driver" && !isPlainDriver(value),
    acts: merges,
    why: "would run a program to merge files",
  },
  {
    planted: ({ section, name, key, value }) =>
      section === "submodule" && name !== null && key === "update" && value?.startsWith("!") === true,
    acts: ({ subcommand, call }) => subcommand === "submodule" || has(call, "recurse-submodules"),
    why: "would run a program in a submodule",
  },
  {
    planted: ({ section, name, key }) =>
      section === "trailer" && name !== null && /^(cmd|command)$/.test(key),
    acts: ({ call }) => has(call, "trailer"),
    why: "would run a program for a trailer",
  },
  {
    planted: ({ section, key, value }) =>
      section === "remote" &&
      (key === "vcs" ||
        (key === "uploadpack" && value !== "git-upload-pack") ||
        (key === "receivepack" && value !== "git-receive-pack")),
    acts: talks,
    why: "would run a program as the other side",
  },
  {
    planted: ({ section, name, key }) =>
      name !== null &&
      ((section === "credential" && key === "helper") || (section === "http" && key === "savecookies")),
    acts: talks,
    why: "would run a program or write a file for that address",
  },
  // The setting points to a list elsewhere, and in that list git also accepts files of this machine.
  {
    planted: (entry) => nameOf(entry) === "fetch.bundleuri",
    acts: talks,
    why: "may lead git on to any file of this machine",
  },
  {
    planted: (entry) => nameOf(entry) === "credential.helper",
    acts: ({ network, credentials }) => network && credentials === "user",
    why: "would run a program to ask who the user is",
  },
  {
    planted: ({ section, name, key }) =>
      key === "skiplist" && (section === "fsck" || (section === "fetch" && name === "fsck")),
    acts: talks,
    why: "would read a file and could show what is in it",
  },
  {
    planted: ({ section, key, value }) =>
      section === "branch" && key === "mergeoptions" && !isPlainMergeOptions(value ?? ""),
    acts: ({ subcommand }) => subcommand === "merge" || subcommand === "pull",
    why: "would add unchecked options",
  },
  // Settings that name a file of the workspace were left out before.
  {
    planted: (entry) => nameOf(entry) === "blame.ignorerevsfile",
    acts: ({ subcommand }) => subcommand === "blame",
    why: "would read a file and could show what is in it",
  },
  {
    planted: (entry) => /^(core\.attributesfile|mailmap\.file)$/.test(nameOf(entry)),
    acts: () => true,
    why: "would read a file outside of the workspace and could show what is in it",
  },
];

function merges(nature: CallNature): boolean {
  const { subcommand, call } = nature;
  if (MERGES.has(subcommand) || mergesToShow(nature)) return true;
  return MERGES_WHEN_ASKED.has(subcommand) && has(call, "m", "conflict");
}

/** Projects set `true` to keep their own side. */
function isPlainDriver(value: string | null): boolean {
  return value === null || value === "true";
}

/** Options of a merge that neither read a file nor omit anything. */
function isPlainMergeOptions(value: string): boolean {
  // Git looks for any other strategy on PATH, which holds nothing of the workspace.
  const plain =
    /^--(?:(?:no-)?(?:ff|commit|stat|summary|edit|log|progress|rerere-autoupdate)|ff-only|strategy(?:-option)?=(?!subtree)[\w-]+)$/;
  return value.split(/\s+/).every((word) => word === "" || plain.test(word));
}

function flawMessage(entry: ConfigEntry, { subcommand }: CallNature, why: string): string {
  const value = (entry.value ?? "true").slice(0, 80);
  const instead = "If it is trusted, it belongs into the user's own configuration (git config --global).";
  return `${nameOf(entry)} of this repository (${value}) ${why} in git ${subcommand}. ${instead}`;
}
