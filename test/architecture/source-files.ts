/** Reads the project's own source files and their imports, for the tests of the house. */
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { Glob } from "bun";

export const ROOT = resolve(import.meta.dir, "../..");
export const SRC = join(ROOT, "src");

export interface SourceFile {
  /** Path below `src/`, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** The floor or room it stands in: the first folder below `src/`, or the file's name at the top. */
  readonly room: string;
  readonly imports: readonly ImportedModule[];
}

export interface ImportedModule {
  readonly specifier: string;
  /** Path below `src/` for our own modules, null for packages and built-ins. */
  readonly target: string | null;
}

const IMPORT =
  /(?:^|[\s;}])(?:import|export)\s+(?:type\s+)?(?:[\w*{][^;'"]*?\s+from\s+)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/g;

/** Every module that a source text imports, type-only and dynamic imports included. */
export function importsOf(path: string, text: string): ImportedModule[] {
  const withoutComments = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  return [...withoutComments.matchAll(IMPORT)].map((match) => {
    const specifier = match[1] ?? match[2] ?? "";
    const target = specifier.startsWith(".")
      ? relative(SRC, resolve(SRC, dirname(path), specifier))
          .split(sep)
          .join("/")
      : null;
    return { specifier, target };
  });
}

/** All TypeScript files below `src/`. */
export function sourceFiles(): SourceFile[] {
  return [...new Glob("**/*.{ts,tsx}").scanSync({ cwd: SRC })].sort().map((found) => {
    const path = found.split(sep).join("/");
    const text = readFileSync(join(SRC, path), "utf8");
    return { path, text, room: roomOf(path), imports: importsOf(path, text) };
  });
}

/** The room a path below `src/` belongs to. */
export function roomOf(path: string): string {
  return path.includes("/") ? (path.split("/")[0] ?? path) : path;
}
