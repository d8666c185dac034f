/** Judges names of branches: whether git takes one, whether it is ours, and which one is free. */

/** Whether git accepts `name` as a branch name (the rules of `git check-ref-format --branch`). */
export function isBranchName(name: string): boolean {
  return (
    name !== "" &&
    name !== "@" &&
    name !== "HEAD" &&
    name.length <= 200 &&
    !name.startsWith("-") &&
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what git refuses.
    !/[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$/.test(name) &&
    name.split("/").every((part) => !part.startsWith(".") && !part.endsWith(".lock"))
  );
}

/** Whether git could know a base by `name`: a branch, a tag or a commit such as `HEAD~1`. Two dots would name a range. */
export function isBaseName(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: git refuses control characters.
  return name.length <= 200 && !/[\x00-\x20\x7f]|^-|\.\./.test(name);
}

/** Whether a branch name is one of ours: below `tazuna/`, or below the folder of `template`. */
export function isNamedByUs(branch: string, template: string): boolean {
  const fixed = template.slice(0, Math.max(0, template.indexOf("{")));
  const folder = fixed.slice(0, fixed.lastIndexOf("/") + 1);
  return branch.startsWith("tazuna/") || (folder !== "" && branch.startsWith(folder));
}

/**
 * The name to try if `taken` names exist: the wanted one, then `-2`, `-3` and so on. On some systems, names that
 * differ only in case are one file. A folder of a taken name is taken too.
 */
export function freeBranchName(wanted: string, taken: Iterable<string>): string {
  const folded = new Set([...taken].map(foldCase).flatMap(withFolders));
  for (let suffix = 1; ; suffix += 1) {
    const candidate = suffix === 1 ? wanted : `${wanted}-${suffix}`;
    if (!folded.has(foldCase(candidate))) return candidate;
  }
}

/**
 * The existing branch that prevents git from creating `branch`. It is a folder of its path (`tazuna` for `tazuna/x`),
 * or is below it (`tazuna/x` for `tazuna`). Null if there is none; a branch of the same name does not count.
 */
export function nameInTheWay(branch: string, names: Iterable<string>): string | null {
  for (const name of names) if (branch.startsWith(`${name}/`) || name.startsWith(`${branch}/`)) return name;
  return null;
}

/** `a/b/c`, `a/b` and `a`. */
function withFolders(name: string): readonly string[] {
  const parts = name.split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

function foldCase(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
