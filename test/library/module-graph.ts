/** Follows the imports of built modules, as far as they lead. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { Transpiler } from "bun";

export interface ModuleGraph {
  /** Below the folder, sorted. */
  readonly files: readonly string[];
  /** Packages and built-ins, sorted. */
  readonly packages: readonly string[];
}

const reader = new Transpiler({ loader: "js" });

/** Everything that `entry` imports, directly or around corners, dynamic imports included. */
export function moduleGraph(folder: string, entry: string): ModuleGraph {
  const files = new Set<string>();
  const packages = new Set<string>();
  const follow = (path: string): void => {
    if (files.has(path)) return;
    files.add(path);
    for (const { path: specifier } of reader.scanImports(readFileSync(join(folder, path), "utf8")))
      if (specifier.startsWith(".")) follow(join(dirname(path), specifier));
      else packages.add(specifier);
  };
  follow(entry);
  return { files: [...files].sort(), packages: [...packages].sort() };
}
