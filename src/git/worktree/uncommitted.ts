/** Looks for work in a worktree that no commit holds. */
import { ok, safeTry } from "neverthrow";
import { pathsThere } from "../index/index-flags.ts";
import { filledGitlinks } from "../index/submodule.ts";
import type { GitAnswer } from "../process/git-error.ts";
import { readHead } from "../refs/refs.ts";
import { listFields } from "../runner/each-field.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { operationInProgress } from "./merge-state.ts";

interface WorktreeWork {
  /** HEAD: its commit (null before the first one) and its branch (null while it is detached). */
  readonly head: { readonly sha: string | null; readonly branch: string | null };
  /** Changed, staged and untracked paths; ignored ones are not looked for. */
  readonly uncommitted: readonly string[];
  /** Existing tracked paths that git was told to skip (`assume-unchanged`, `skip-worktree`). */
  readonly unwatched: readonly string[];
  /** Filled submodules. Git is not run in them, so it is unknown whether they hold work. */
  readonly submodules: readonly string[];
  /** Such as `merge`; null if no operation is in progress. */
  readonly operation: string | null;
}

const STATUS = ["status", "--porcelain", "-z", "--untracked-files=normal", "--no-renames"];

export async function findWork(git: Git, target: GitTarget): GitAnswer<WorktreeWork> {
  return safeTry(async function* () {
    const head = yield* await readHead(git, target);
    const operation = yield* await operationInProgress(git, target);
    const status = yield* await listFields(git, target, [...STATUS, "--ignore-submodules=all"]);
    const index = yield* await listFields(git, target, ["ls-files", "-v", "--stage", "-z"], {
      keep: isSpecial,
    });
    const entries = index.map(entryOf);
    const gitlinks = entries.filter(({ mode }) => mode === "160000").map(({ path }) => path);
    return ok({
      head,
      uncommitted: status.map((line) => line.slice(3)),
      unwatched: await pathsThere(
        target,
        entries.filter(({ tag }) => tag !== "H" && tag !== "M").map(({ path }) => path),
      ),
      submodules: await filledGitlinks(target, gitlinks),
      operation: operation?.name ?? null,
    });
  });
}

/** A submodule, or a path that git was told to skip. */
function isSpecial(line: string): boolean {
  return !/^[HM] (?!160000 )/.test(line);
}

/** `H 100644 SHA 0<tab>PATH`. A small letter means `assume-unchanged`; `S` means `skip-worktree`. */
function entryOf(line: string) {
  const tab = line.indexOf("\t");
  const [tag = "", mode = ""] = line.slice(0, tab).split(" ");
  return { tag, mode, path: line.slice(tab + 1) };
}
