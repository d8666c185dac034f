/** Reads what the project's files export, and what they take of each other by name. */
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { Glob } from "bun";
import { ROOT } from "./source-files.ts";

export interface Exported {
  readonly name: string;
  /** What is only there for the compiler. */
  readonly isType: boolean;
  /** Whether the file that exports it uses it too. */
  readonly usedInside: boolean;
}

export interface Taken {
  /** Path below the project's folder. */
  readonly from: string;
  /** `*` takes everything that is there. */
  readonly name: string;
}

const DECLARED =
  /^export\s+(?:declare\s+|abstract\s+)*(async\s+function\*?|function\*?|const|let|class|enum|interface|type)\s+(\w+)/gm;
const LISTED = /^export\s+(type\s+)?\{([^}]*)\}\s*(?:from\s*["'][^"']+["'])?/gm;
const STATIC =
  /(?:^|[\s;}])(?:import|export)\s+(?:type\s+)?(?:\w+\s*,?\s*)?(?:\{([^{}]*)\}|\*\s+as\s+(\w+)|\*)?\s*from\s*["']((?:\.|@contract\/)[^"']+)["']/g;
const DYNAMIC = /(?:\{([^{}]*)\}\s*=\s*await\s+)?\bimport\(\s*["'](\.[^"']+)["']\s*\)/g;

/** Everything that a text exports under a name of its own. */
export function exportsOf(text: string): readonly Exported[] {
  const code = withoutComments(text);
  const used = (name: string) =>
    [...code.matchAll(new RegExp(`(?<![\\w$])${name}(?![\\w$])`, "g"))].length > 1;
  const declared = [...code.matchAll(DECLARED)].map(([, kind = "", name = ""]) => ({
    name,
    isType: kind === "interface" || kind === "type",
    usedInside: used(name),
  }));
  const listed = [...code.matchAll(LISTED)].flatMap(([, type, names = ""]) =>
    namesIn(names).map(({ name, as, isType }) => ({
      name: as,
      isType: isType || type !== undefined,
      usedInside: used(name),
    })),
  );
  return [...declared, ...listed];
}

/** Everything that the text of `path` takes of the project's other files. */
export function takenBy(path: string, text: string): readonly Taken[] {
  const code = withoutComments(text);
  const at = (specifier: string) =>
    specifier.startsWith("@contract/")
      ? specifier.replace("@", "src/")
      : relative(ROOT, resolve(ROOT, dirname(path), specifier))
          .split(sep)
          .join("/");
  const named = (specifier: string, names: string | undefined): Taken[] =>
    (names === undefined ? ["*"] : namesIn(names).map(({ name }) => name)).map((name) => ({
      from: at(specifier),
      name,
    }));
  return [
    ...[...code.matchAll(STATIC)].flatMap(([, names, alias, specifier = ""]) =>
      alias === undefined
        ? named(specifier, names)
        : membersOf(code, alias).map((name) => ({ from: at(specifier), name })),
    ),
    ...[...code.matchAll(DYNAMIC)].flatMap(([, names, specifier = ""]) => named(specifier, names)),
  ];
}

/** What is used of a module that was imported whole. */
function membersOf(code: string, alias: string): string[] {
  return [...code.matchAll(new RegExp(`(?<![\\w$./])${alias}\\.(\\w+)`, "g"))].map(([, name = ""]) => name);
}

/** `a`, `type b` and `c as d` (or `c: d`) between braces. */
function namesIn(list: string): { readonly name: string; readonly as: string; readonly isType: boolean }[] {
  return list
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .map((one) => {
      const [name = "", as = name] = one.replace(/^type\s+/, "").split(/\s+as\s+|\s*:\s*/);
      return { name, as, isType: one.startsWith("type ") };
    });
}

/** Every code file of these folders, by its path below the project's folder. */
export function codeIn(
  folders: readonly string[],
): readonly { readonly path: string; readonly text: string }[] {
  return folders
    .flatMap((folder) => [...new Glob(`${folder}/**/*.{ts,tsx,mjs}`).scanSync({ cwd: ROOT })])
    .map((path) => path.split(sep).join("/"))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}
