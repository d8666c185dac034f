/** Says what the programs of one run may touch. */
import { statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { SandboxProfile } from "../../sandbox/profile.ts";
import type { Uses } from "../core/context-parts.ts";
import type { RunWorld } from "../run-core/step.ts";
import { controlPlaces } from "./control-places.ts";
import { CHECKED_CACHES, CREDENTIAL_PLACES, PACKAGE_CACHES } from "./home-places.ts";

/** What one program of a run needs in addition to what all of them need. */
export interface ProgramNeeds {
  readonly argv: readonly string[];
  /** Absolute folders and files of its own, such as its configuration. */
  readonly writable: readonly string[];
  /** Absolute folders that it sees as empty ones of its own. */
  readonly own?: readonly string[];
  /** Absolute paths that are read-only, also below a writable folder. */
  readonly readOnly?: readonly string[];
  /** See `SandboxProfile`. */
  readonly inTerminal?: true;
}

/** Below the run's folder. */
const TEMPORARY = "tmp";
const OWN = "own";
const EMPTY_FILE = "empty";

/**
 * Everything can be read except credentials and our own data. The worktree, the program's own places, package caches
 * and what the user names can be written. Git's folders stay as they are: the agent's git reads.
 */
export function runProfile(
  context: Uses<"paths" | "userEnv" | "ownFolders">,
  world: Pick<RunWorld, "run" | "attempt" | "repository" | "configuration">,
  needs: ProgramNeeds,
): Omit<SandboxProfile, "network"> {
  const { run, attempt, repository } = world;
  const { sandbox } = world.configuration.values;
  const home = context.userEnv.HOME ?? "/nonexistent";
  const dir = context.paths.run(run.id);
  // A reviewer changes nothing.
  const reads = run.kind === "review";
  const asked = sandbox.write.map((path) => (path.startsWith("~/") ? join(home, path.slice(2)) : path));
  const written = [...needs.writable, ...asked];
  return {
    writable: [
      ...(reads ? [] : [attempt.worktree]),
      join(dir, "summary"),
      ...CHECKED_CACHES.map((place) => join(home, place)),
      ...written,
    ],
    own: [...packageStores(context), ...(needs.own ?? [])]
      .filter((path) => !written.some((place) => path === place || path.startsWith(`${place}/`)))
      .map((path) => ({ path, from: join(ownFolders(context, world), path) })),
    readOnly: [
      ...(reads ? [attempt.worktree] : []),
      join(attempt.worktree, ".git"),
      repository.commonDir,
      join(dir, "agent"),
      // Visible even if they lie below a folder that is hidden or replaced.
      home,
      repository.path,
      ...context.ownFolders,
      ...(needs.readOnly ?? []),
      ...needs.argv.filter((word) => isOutsideFile(word, [attempt.worktree, ...needs.writable])),
    ],
    hidden: hiddenPlaces(context),
    temporary: temporaryFolder(context, world),
    emptyFile: join(dir, EMPTY_FILE),
    ...(needs.inTerminal === true ? { inTerminal: true } : {}),
  };
}

/** Absolute paths that look empty to every confined program. */
export function hiddenPlaces({ paths, userEnv }: Uses<"paths" | "userEnv">): readonly string[] {
  const home = userEnv.HOME ?? "/nonexistent";
  return [
    paths.root,
    ...CREDENTIAL_PLACES.map((place) => join(home, place)),
    ...controlPlaces(userEnv, home),
  ];
}

/** The user's package stores. A program sees empty ones in their place, unless they are named as writable. */
export function packageStores({ userEnv }: Uses<"userEnv">): readonly string[] {
  return PACKAGE_CACHES.map((place) => join(userEnv.HOME ?? "/nonexistent", place));
}

/** The folder that replaces the system's temporary folder. */
export function temporaryFolder({ paths }: Uses<"paths">, { run }: Pick<RunWorld, "run">): string {
  return join(paths.run(run.id), TEMPORARY);
}

/** The folders that replace package stores and the like as long as the run lasts. */
export function ownFolders({ paths }: Uses<"paths">, { run }: Pick<RunWorld, "run">): string {
  return join(paths.run(run.id), OWN);
}

/** A program, or a script among its arguments, that may lie in a hidden place. Writable places stay writable. */
function isOutsideFile(word: string, writable: readonly string[]): boolean {
  if (!isAbsolute(word) || writable.some((place) => word.startsWith(`${place}/`))) return false;
  return statSync(word, { throwIfNoEntry: false })?.isFile() === true;
}
