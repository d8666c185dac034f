/** Copies ignored files of the user's checkout into a new worktree, if the configuration asks for them. */
import { chmod, copyFile, lstat, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { RunNote } from "../../domain/run/run.ts";
import { listWantedIgnoredFiles } from "../../git/index/ignored-files.ts";
import { createPathMatcher } from "../../utils/paths/git-patterns.ts";
import { realPathInside } from "../../utils/paths/safe-path.ts";
import type { Uses } from "../core/context-parts.ts";
import type { Checkout } from "../core/find-checkout.ts";
import { gitFailed } from "../run-core/git-failure.ts";
import { note, type RunWorld, type Step } from "../run-core/step.ts";
import { recordCopiedFiles } from "./copied-files.ts";

/** Notes for what could not be copied. The list is stored first: copied files are never committed. */
export async function copyWantedFiles(
  context: Uses<"git" | "paths">,
  world: RunWorld,
  checkout: Checkout,
): Promise<Result<readonly RunNote[], Step>> {
  if (checkout.bare) return ok(nothingToCopy(world));
  const wanted = await listWantedIgnoredFiles(
    context.git,
    { gitDir: checkout.gitDir, workTree: checkout.path },
    world.configuration.values.copy,
  );
  if (wanted.isErr()) return err(gitFailed("worktree", wanted.error));
  const notes: RunNote[] = unmatchedPatterns(world.configuration.values.copy, wanted.value).map((pattern) =>
    note("copy_unmatched", `${unmatchedWords(pattern)} Nothing was copied for it.`, { pattern }),
  );
  if (wanted.value.length === 0) return ok(notes);
  await recordCopiedFiles(context, world.attempt.id, wanted.value);
  for (const path of wanted.value) {
    const problem = await copyOne({ from: checkout.path, to: world.attempt.worktree, path });
    if (problem !== null)
      notes.push(note("not_copied", `${path} was not copied into the worktree: ${problem}`, { path }));
  }
  return ok(notes);
}

function nothingToCopy({ configuration, repository }: RunWorld): readonly RunNote[] {
  const what = repository.url === null ? "A bare repository" : "A clone that Tazuna made";
  return configuration.values.copy.map((pattern) =>
    note("copy_unmatched", `${what} has no ignored files: nothing was copied for "${pattern}" of \`copy\`.`, {
      pattern,
    }),
  );
}

/** Patterns that match no file, of those that should match one: `files` are all that match any. */
export function unmatchedPatterns(patterns: readonly string[], files: readonly string[]): readonly string[] {
  return patterns.filter((pattern) => {
    if (pattern.startsWith("!") || pattern.startsWith("#")) return false;
    const matches = createPathMatcher([pattern]);
    return !files.some(matches);
  });
}

function unmatchedWords(pattern: string): string {
  return `The pattern "${pattern}" of \`copy\` matches no ignored file of the checkout.`;
}

/** Null if it was copied. A symbolic link, a folder in the way or a path that leaves the worktree is not copied. */
async function copyOne(copy: {
  readonly from: string;
  readonly to: string;
  readonly path: string;
}): Promise<string | null> {
  const source = join(copy.from, copy.path);
  const facts = await lstat(source).catch(() => null);
  if (facts === null) return "it is gone";
  if (!facts.isFile()) return "it is not a plain file";
  const inside = realPathInside(copy.to, copy.path, { missing: "allow" });
  if (!inside.ok) return inside.message;
  const target = join(copy.to, copy.path);
  await mkdir(dirname(target), { recursive: true });
  await copyFile(source, target);
  await chmod(target, facts.mode & 0o777);
  return null;
}
