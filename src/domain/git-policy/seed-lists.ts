/** Holds the lists and patterns of seed 002 to the letter; the tables may be stricter, never looser. */

const ALWAYS_ALLOWED = [
  "status",
  "diff",
  "log",
  "show",
  "branch",
  "remote",
  "tag",
  "rev-parse",
  "describe",
  "shortlog",
  "ls-files",
  "ls-tree",
  "cat-file",
  "blame",
  "reflog",
] as const;

const MODIFYING = [
  "add",
  "commit",
  "checkout",
  "switch",
  "merge",
  "rebase",
  "stash",
  "cherry-pick",
  "reset",
  "revert",
  "fetch",
  "pull",
  "push",
  "restore",
  "rm",
  "mv",
  "init",
  "clone",
  "worktree",
  "submodule",
  "notes",
  "bisect",
  "apply",
  "am",
  "clean",
] as const;

export type GitSubcommand = (typeof ALWAYS_ALLOWED)[number] | (typeof MODIFYING)[number];

/** A subcommand and the arguments that, all present, make it destructive (seed 002, "Blocked by Default"). */
export interface DestructivePattern {
  readonly subcommand: GitSubcommand;
  readonly args: readonly string[];
}

const DESTRUCTIVE: readonly DestructivePattern[] = [
  { subcommand: "push", args: ["--force"] },
  { subcommand: "push", args: ["-f"] },
  { subcommand: "push", args: ["--force-with-lease"] },
  { subcommand: "reset", args: ["--hard"] },
  { subcommand: "clean", args: ["-f"] },
  { subcommand: "clean", args: ["-fd"] },
  { subcommand: "clean", args: ["-fx"] },
  { subcommand: "clean", args: ["-fxd"] },
  { subcommand: "branch", args: ["-D"] },
  { subcommand: "branch", args: ["--delete", "--force"] },
];

const KNOWN: ReadonlySet<string> = new Set([...ALWAYS_ALLOWED, ...MODIFYING]);

/** The 15 subcommands that read (seed 002, "Always Allowed"); the writing forms of `branch`, `remote`, `tag` and `reflog` are of the tier `write`. */
export function alwaysAllowedSubcommands(): readonly string[] {
  return [...ALWAYS_ALLOWED];
}

/** The 25 subcommands that change something (seed 002, "Allowed with Confirmation"). */
export function modifyingSubcommands(): readonly string[] {
  return [...MODIFYING];
}

/** What seed 002 blocks by default; the tables behind `checkGitCommand` block all of it and more. */
export function destructivePatterns(): readonly DestructivePattern[] {
  return DESTRUCTIVE.map(({ subcommand, args }) => ({ subcommand, args: [...args] }));
}

/** Whether the name is one of the 40; exact, without trimming or folding of case. */
export function isSubcommandAllowed(name: unknown): name is GitSubcommand {
  return typeof name === "string" && KNOWN.has(name);
}
