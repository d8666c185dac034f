/**
 * Runs a git that writes files of a worktree so that it follows no symbolic link there (ADR 0083). Git looks at a
 * folder once and then writes many files below it. If a program swaps the folder for a link meanwhile, git would write
 * through the link. On Linux the mount of the worktree follows no links (`nosymfollow`, mount(8)).
 */
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { GitError } from "../process/git-error.ts";

interface Target {
  readonly gitDir: string;
  readonly workTree: string | null;
}

/** Runs an argv to its end; the exit code, or null if it did not start or was killed. */
type TryProgram = (argv: readonly string[], cwd: string) => Promise<number | null>;

/** In a process of our own: the parent of the worktree is mounted over itself, then git begins in it. */
const HELD = [
  "parent=$1 tree=$2 user=$3 group=$4; shift 4",
  'mount --rbind "$parent" "$parent" && mount -o remount,bind,nosymfollow "$parent" && cd "$tree" || exit',
  // Git compares owners, so it runs as the user and not as the root of the first namespace.
  'exec unshare --user --map-user="$user" --map-group="$group" -- "$@"',
].join("\n");

/** The argv that runs `argv` in `workTree`, which cannot lead it elsewhere. */
export function heldArgv(argv: readonly string[], workTree: string): readonly string[] {
  const ids = [process.geteuid?.() ?? 0, process.getegid?.() ?? 0].map(String);
  const places = [dirname(workTree), workTree];
  const begin = ["unshare", "--map-root-user", "--mount", "--", "sh", "-c", HELD, "sh"];
  return [...begin, ...places, ...ids, ...argv];
}

/**
 * Whether a call writes files of a linked worktree, where an agent's programs may still be. The first checkout is left
 * out: nobody knows that worktree yet.
 */
export function writesFiles({ gitDir, workTree }: Target, args: readonly string[]): boolean {
  const [subcommand = "", ...rest] = args;
  if (workTree === null || basename(dirname(gitDir)) !== "worktrees") return false;
  if (subcommand === "read-tree") return rest.includes("-u");
  if (subcommand === "reset") return rest.includes("--keep");
  return WRITING.has(subcommand);
}

const WRITING: ReadonlySet<string> = new Set([
  "am",
  "bisect",
  "checkout-index",
  "cherry-pick",
  "merge",
  "rebase",
  "restore",
  "revert",
]);

/**
 * Whether a held call failed because a program that it starts needs more: ssh refuses files of root, whom it does not
 * see, and a filter may be a link in the worktree.
 */
export function needsLinks(error: GitError): boolean {
  return error.kind === "git_failed" && /filter .* failed|Could not read from remote/.test(error.stderr);
}

/** Tells whether this machine holds links; it is tried once, by a link that must not be followed. */
export function findHolder(scratch: string, run: TryProgram): () => Promise<boolean> {
  let known: Promise<boolean> | null = null;
  return () => {
    known ??= process.platform === "linux" ? holds(scratch, run).catch(() => false) : Promise.resolve(false);
    return known;
  };
}

async function holds(scratch: string, run: TryProgram): Promise<boolean> {
  await mkdir(scratch, { recursive: true });
  const folder = await mkdtemp(join(scratch, "links-"));
  try {
    const tree = join(folder, "tree");
    await mkdir(tree);
    await symlink(folder, join(tree, "link"));
    const reaches = (path: string) => run(heldArgv(["test", "-d", path], tree), folder);
    return (await reaches(".")) === 0 && (await reaches("link/tree")) === 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
