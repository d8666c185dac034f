/** Writes the patch that a review reads into a file of its run, and reads it back. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { diffPatchToFile } from "../../git/index/diff.ts";
import type { RemoteError } from "../../git/process/remote-error.ts";
import type { Uses } from "../core/context-parts.ts";
import type { RunWorld } from "./step.ts";
import { repositoryTarget } from "./targets.ts";

/** Of a longer patch the reviewer gets no text, and its comments stand on whole files. */
const MAX_BYTES = 16 * 1024 * 1024;

/** What the attempt changed, as `tazuna diff` shows it; empty if that is nothing, or too long. */
export async function reviewedPatch(
  context: Uses<"git" | "paths">,
  { run, attempt, repository }: RunWorld,
): Promise<Result<string, RemoteError>> {
  if (attempt.patch === null) return ok("");
  const { from, to } = attempt.patch;
  const file = join(context.paths.run(run.id), "reviewed.diff");
  const made = await diffPatchToFile(context.git, repositoryTarget(repository), {
    comparison: { from, to },
    file,
  });
  if (made.isErr()) return err(made.error);
  return ok((await stat(file)).size > MAX_BYTES ? "" : await readFile(file, "utf8"));
}

/** The same, file by file. */
export async function reviewedFiles(
  context: Uses<"git" | "paths">,
  world: RunWorld,
): Promise<Result<readonly string[], RemoteError>> {
  const patch = await reviewedPatch(context, world);
  return patch.map((text) => text.split(/^(?=diff --git )/m).filter((part) => part.trim() !== ""));
}
