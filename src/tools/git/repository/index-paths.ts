/** Reads paths from the index of a repository, in any of its forms. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ToolContext } from "../../core/context.ts";
import { findRepository, isFlaw } from "./find-repository.ts";
import { configSearch } from "./inspect-repository.ts";
import { readConfig } from "./read-config.ts";
import { usesSha256 } from "./read-repository.ts";

/** Null if the bytes are not an index. */
type PathsOf = (index: Buffer, idBytes: 20 | 32) => readonly string[] | null;

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
  const paths = new Set(indexFiles(found.gitDir).flatMap((index) => pathsOf(index, idBytes) ?? []));
  const unnamed = paths.delete("");
  return { topLevel: found.topLevel, paths, unnamed };
}

/** A split index has most of its entries in files beside it. */
function indexFiles(gitDir: string): readonly Buffer[] {
  const names = readdirSync(gitDir).filter((name) => name === "index" || name.startsWith("sharedindex."));
  const paths = names.map((name) => join(gitDir, name)).filter((path) => statSync(path).isFile());
  return paths.map((path) => readFileSync(path));
}
