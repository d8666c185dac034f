/** Recognises settings that make git run a program or miss a change, and the settings that disable them. */
import type { ConfigPairs } from "../../../domain/git-policy/hardening/settings.ts";
import { type ConfigEntry, nameOf } from "./parse-config.ts";

/** The values that `git lfs install` writes, now and in earlier versions. */
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

/** A filter with a program that is not the standard Git LFS. */
export function isForeignFilter({ section, name, key, value }: ConfigEntry): boolean {
  if (section !== "filter" || !["clean", "smudge", "process"].includes(key)) return false;
  return !(value === null || value === "" || (name === "lfs" && STANDARD_LFS.has(value)));
}

/** Programs that Git LFS itself runs. */
export function isLfsProgram({ section, name, key }: ConfigEntry): boolean {
  if (section !== "lfs") return false;
  if (name === null) return key === "standalonetransferagent";
  return /^(customtransfer|extension)\./i.test(name) && ["path", "clean", "smudge"].includes(key);
}

/** Names of the filters to disable in a call that must not be refused because of them. */
export function foreignFilters(entries: readonly ConfigEntry[]): readonly string[] {
  const names = entries.flatMap((entry) => {
    if (isForeignFilter(entry)) return [entry.name ?? ""];
    return isLfsProgram(entry) ? ["lfs"] : [];
  });
  return [...new Set(names)];
}

/** With other values, git takes a changed file for an unchanged one, and overwrites it. */
const LOOKS_AT_FILES: Readonly<Record<string, string>> = {
  "core.checkstat": "default",
  "core.trustctime": "true",
  "core.ignorestat": "false",
};

/** Replacements that do not change git's answer: files are shown unconverted and checked, and hooks are off. */
export function harmlessInstead(entries: readonly ConfigEntry[]): ConfigPairs {
  return Object.fromEntries(
    entries.flatMap((entry) => {
      const { section, name, key } = entry;
      const looks = LOOKS_AT_FILES[nameOf(entry)];
      if (looks !== undefined) return [[nameOf(entry), looks]];
      if (name === null) return [];
      if (section === "diff" && key === "textconv") return [[nameOf(entry), "cat"]];
      // A cache of conversions is a ref, and a reading call must write none.
      if (section === "diff" && key === "cachetextconv") return [[nameOf(entry), "false"]];
      if (section === "diff" && key === "command") return [[nameOf(entry), "true"]];
      return section === "hook" ? [[`hook.${name}.enabled`, "false"]] : [];
    }),
  );
}
