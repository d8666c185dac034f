/** Reads paths from the index of a repository, in any of its forms. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ToolContext } from "../../core/context.ts";
import { findRepository, isFlaw } from "./find-repository.ts";
import type { PathsOf } from "./index-gitlinks.ts";
import { configSearch } from "./inspect-repository.ts";
import { readConfig } from "./read-config.ts";
import { indexFiles, usesSha256 } from "./read-repository.ts";

interface IndexPaths {
  /** Absolute. */
  readonly topLevel: string;
  /** Relative to `topLevel`, each once. */
  readonly paths: ReadonlySet<string>;
  /** Whether there are more entries, whose names a split index does not repeat. */
  readonly unnamed: boolean;
}

/**
 * The paths in the index of `folder`'s repository; `folder` is a real path. Null if there is no repository. If an
 * index cannot be read, the list is empty: every call is refused there.
 */
export function indexPaths(folder: string, context: ToolContext, pathsOf: PathsOf): IndexPaths | null {
  const search = configSearch(context);
  const found = findRepository(folder, search.files);
  if (found === null || isFlaw(found)) return null;
  const { entries } = readConfig([join(found.commonDir, "config")], search);
  const idBytes = usesSha256(entries) ? 32 : 20;
  const files = indexFiles(found.gitDir).filter((path) => statSync(path).isFile());
  const paths = new Set(files.flatMap((path) => pathsOf(readFileSync(path), idBytes) ?? []));
  const unnamed = paths.delete("");
  return { topLevel: found.topLevel, paths, unnamed };
}
