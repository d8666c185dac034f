/** Recognises settings of a repository by which git would run a program or overlook a change, and how each is kept from it. */
import type { ConfigPairs } from "./hardening.ts";
import { type ConfigEntry, nameOf } from "./parse-config.ts";

/** The values that `git lfs install` writes, of today and of earlier versions. */
const STANDARD_LFS: ReadonlySet<string> = new Set([
  "git-lfs clean -- %f",
  "git-lfs clean %f",
  "git-lfs smudge -- %f",
  "git-lfs smudge --skip -- %f",
  "git-lfs smudge %f",
  "git-lfs smudge --skip %f",
  "git-lfs filter-process",
  "git-lfs filter-process --skip",
]);

/** A filter with a program that is not Git LFS as it is installed. */
export function isForeignFilter({ section, name, key, value }: ConfigEntry): boolean {
  if (section !== "filter" || !["clean", "smudge", "process"].includes(key)) return false;
  return !(value === null || value === "" || (name === "lfs" && STANDARD_LFS.has(value)));
}

/** Git LFS itself runs what these name. */
export function isLfsProgram({ section, name, key }: ConfigEntry): boolean {
  if (section !== "lfs") return false;
  if (name === null) return key === "standalonetransferagent";
  return /^(customtransfer|extension)\./i.test(name) && ["path", "clean", "smudge"].includes(key);
}

/** Names of the filters that must not run in a call that cannot be refused for them. */
export function foreignFilters(entries: readonly ConfigEntry[]): readonly string[] {
  const names = entries.flatMap((entry) => {
    if (isForeignFilter(entry)) return [entry.name ?? ""];
    return isLfsProgram(entry) ? ["lfs"] : [];
  });
  return [...new Set(names)];
}

/** Turns filters off: what git compares is then the file as it lies there. */
export function withoutFilters(names: readonly string[]): ConfigPairs {
  return Object.fromEntries(
    names.flatMap((name) => [
      [`filter.${name}.clean`, ""],
      [`filter.${name}.smudge`, ""],
      [`filter.${name}.process`, ""],
      [`filter.${name}.required`, "false"],
    ]),
  );
}

/** By these git takes a changed file for an unchanged one, and overwrites it. */
const LOOKS_AT_FILES: Readonly<Record<string, string>> = {
  "core.checkstat": "default",
  "core.trustctime": "true",
  "core.ignorestat": "false",
};

/** What can be put in place of a setting without another answer of git: files shown as they are and looked at, hooks that are off. */
export function harmlessInstead(entries: readonly ConfigEntry[]): ConfigPairs {
  return Object.fromEntries(
    entries.flatMap((entry) => {
      const { section, name, key } = entry;
      const looks = LOOKS_AT_FILES[nameOf(entry)];
      if (looks !== undefined) return [[nameOf(entry), looks]];
      if (name === null) return [];
      if (section === "diff" && key === "textconv") return [[nameOf(entry), "cat"]];
      // A cache of conversions is a ref, and showing writes none.
      if (section === "diff" && key === "cachetextconv") return [[nameOf(entry), "false"]];
      if (section === "diff" && key === "command") return [[nameOf(entry), "true"]];
      return section === "hook" ? [[`hook.${name}.enabled`, "false"]] : [];
    }),
  );
}

/** Whether a name can be handed to git as it is: bytes that are no UTF-8 cannot. */
export function isSpeakable({ name }: ConfigEntry): boolean {
  return name === null || !/[\u{fffd}\0]/u.test(name);
}
