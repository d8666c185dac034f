/** Finds the content of one side of a changed file, in the very trees that a diff compares. */
import { err, ok, type Result, safeTry } from "neverthrow";
import { blobAt } from "../../git/index/tree-files.ts";
import type { Git, GitTarget } from "../../git/runner/run-git.ts";
import type { Uses } from "../core/context-parts.ts";
import type { Refusal } from "../core/refusal.ts";
import type { DiffOf, FileSide } from "../core/request-shapes.ts";
import type { ComparedFiles } from "./compared-files.ts";
import { comparedSides, gitRefusal } from "./compared-sides.ts";
import { unchanged } from "./show-diff.ts";

interface ChangedBlob {
  readonly git: Git;
  readonly target: GitTarget;
  readonly sha: string;
}

/** The file must be one of the diff, and be there on that side. */
export async function changedBlob(
  engine: Uses<"db" | "git" | "configuration">,
  of: DiffOf,
  { path, side, filesOf }: FileSide & { readonly filesOf: ComparedFiles },
): Promise<Result<ChangedBlob, Refusal>> {
  return safeTry(async function* () {
    const { context, target, range } = yield* await comparedSides(engine, of);
    if (range === null) return err(unchanged(path));
    const { git } = context;
    const files = yield* (await filesOf(git, target, range)).mapErr(gitRefusal);
    const file = files.find((one) => one.path === path);
    if (file === undefined) return err(unchanged(path));
    const place =
      side === "old" ? { tree: range.from, path: file.previousPath ?? path } : { tree: range.to, path };
    const sha = yield* (await blobAt(git, target, place)).mapErr(gitRefusal);
    return sha === null ? err(unchanged(path)) : ok({ git, target, sha });
  });
}
