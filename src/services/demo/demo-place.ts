/** Knows where demos lie, and which repositories are demos. */
import { realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Repository } from "../../domain/repository/repository.ts";
import type { Uses } from "../core/context-parts.ts";

/** The folder of the demo's checkout, and of its bare remote, in the demo's own folder. */
export const CHECKOUT = "greeter";
export const REMOTE = "origin.git";

export interface Demo {
  readonly repository: Repository;
  /** The demo's own folder. */
  readonly folder: string;
}

/** Those of the repositories that `demo` made: their place alone says so, since nobody else writes there. */
export async function demosOf(
  { paths }: Uses<"paths">,
  repositories: readonly Repository[],
): Promise<readonly Demo[]> {
  const demos = await realpath(paths.demos).catch(() => paths.demos);
  return repositories.flatMap((repository) => {
    const folder = dirname(repository.path);
    const isDemo =
      dirname(folder) === demos &&
      basename(repository.path) === CHECKOUT &&
      repository.commonDir === join(repository.path, ".git");
    return isDemo ? [{ repository, folder }] : [];
  });
}
