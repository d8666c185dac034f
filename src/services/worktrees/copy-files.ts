/** Brings ignored files of the user's checkout into a new worktree, where the configuration asks for them. */
import { chmod, copyFile, lstat, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { RunNote } from "../../domain/run/run.ts";
import { listWantedIgnoredFiles } from "../../git/ignored-files.ts";
import { realPathInside } from "../../utils/safe-path.ts";
import type { ServiceContext } from "../context.ts";
import type { Checkout } from "../repositories/find-checkout.ts";
import { gitFailed } from "../runs/git-failure.ts";
import { note, type RunWorld, type Step } from "../runs/step.ts";
import { recordCopiedFiles } from "./copied-files.ts";

/** Notes for what could not be copied. The list is stored first: what is copied in is never committed. */
export async function copyWantedFiles(
  context: ServiceContext,
  world: RunWorld,
  checkout: Checkout,
): Promise<Result<readonly RunNote[], Step>> {
  if (checkout.bare) return ok([]);
  const wanted = await listWantedIgnoredFiles(
    context.git,
    { gitDir: checkout.gitDir, workTree: checkout.path },
    world.configuration.values.copy,
  );
  if (wanted.isErr()) return err(gitFailed("worktree", wanted.error));
  if (wanted.value.length === 0) return ok([]);
  await recordCopiedFiles(context, world.attempt.id, wanted.value);
  const notes: RunNote[] = [];
  for (const path of wanted.value) {
    const problem = await copyOne({ from: checkout.path, to: world.attempt.worktree, path });
    if (problem !== null)
      notes.push(note("not_copied", `${path} was not copied into the worktree: ${problem}`, { path }));
  }
  return ok(notes);
}

/** Null where it was copied; a symbolic link, a folder in the way or a path that leaves the worktree is not. */
async function copyOne(of: {
  readonly from: string;
  readonly to: string;
  readonly path: string;
}): Promise<string | null> {
  const source = join(of.from, of.path);
  const facts = await lstat(source).catch(() => null);
  if (facts === null) return "it is gone";
  if (!facts.isFile()) return "it is not a plain file";
  const inside = realPathInside(of.to, of.path, { missing: "allow" });
  if (!inside.ok) return inside.message;
  const target = join(of.to, of.path);
  await mkdir(dirname(target), { recursive: true });
  await copyFile(source, target);
  await chmod(target, facts.mode & 0o777);
  return null;
}
