/** Finds the user's checkout where it was recorded, and makes sure that it is still the same repository. */
import { err, ok, type Result } from "neverthrow";
import type { Repository } from "../../domain/repository/repository.ts";
import { locateGitDir } from "../../git/process/locate-git-dir.ts";

/** The user's checkout (or bare repository): read, never written. */
export interface Checkout {
  readonly path: string;
  /** Its own git directory; it differs from the common one in a linked worktree. */
  readonly gitDir: string;
  readonly bare: boolean;
}

/** Starts no process. The error is a sentence: the checkout is gone, or another repository lies there now. */
export async function findCheckout(repository: Repository): Promise<Result<Checkout, string>> {
  const { path, commonDir, bare, id } = repository;
  const found = await locateGitDir(path);
  const moved = `If it was moved, type \`tazuna repo move ${id.slice(0, 8)} .\` in its new place.`;
  if (found === null) return err(`There is no repository at ${path} any more. ${moved}`);
  if (found.commonDir !== commonDir) return err(`${path} is another repository now. ${moved}`);
  return ok({ path, gitDir: found.gitDir, bare });
}
