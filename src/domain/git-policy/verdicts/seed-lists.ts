/** Holds the lists of a seed exactly; the tables may be stricter, never looser (seed 002 Key Functions). */

const ALWAYS_ALLOWED = Object.freeze([
  ...["status", "diff", "log", "show", "branch", "remote", "tag", "rev-parse", "describe", "shortlog"],
  ...["ls-files", "ls-tree", "cat-file", "blame", "reflog"],
] as const);

const MODIFYING = Object.freeze([
  ...["add", "commit", "checkout", "switch", "merge", "rebase", "stash", "cherry-pick", "reset", "revert"],
  ...["fetch", "pull", "push", "restore", "rm", "mv", "init", "clone", "worktree", "submodule"],
  ...["notes", "bisect", "apply", "am", "clean"],
] as const);

export type GitSubcommand = (typeof ALWAYS_ALLOWED)[number] | (typeof MODIFYING)[number];

/** The arguments that, all together, make a subcommand destructive (seed 002 Blocked by Default). */
export interface DestructivePattern {
  readonly subcommand: GitSubcommand;
  readonly args: readonly string[];
}

const DESTRUCTIVE: readonly DestructivePattern[] = Object.freeze(
  [
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
  ].map(({ subcommand, args }) =>
    Object.freeze({ subcommand: subcommand as GitSubcommand, args: Object.freeze(args) }),
  ),
);

const KNOWN: ReadonlySet<string> = new Set([...ALWAYS_ALLOWED, ...MODIFYING]);

/**
 * The 15 subcommands that read (seed 002 Always Allowed). The writing forms of `branch`, `remote`, `tag` and
 * `reflog` have the tier `write`. Frozen, like the next two lists.
 */
export function alwaysAllowedSubcommands(): readonly string[] {
  return ALWAYS_ALLOWED;
}

/** The 25 subcommands that change something (seed 002 Allowed with Confirmation). */
export function modifyingSubcommands(): readonly string[] {
  return MODIFYING;
}

/** The calls that seed 002 blocks by default. The tables behind `checkGitCommand` block all of them and more. */
export function destructivePatterns(): readonly DestructivePattern[] {
  return DESTRUCTIVE;
}

/** Whether the name is one of the 40. Exact, without trimming or case folding. */
export function isSubcommandAllowed(name: unknown): name is GitSubcommand {
  return typeof name === "string" && KNOWN.has(name);
}
