/** Recognises settings that make git run a program or miss a change, and builds the settings that disable them. */
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

/** Names of the filters to disable for a call that must not fail because of them. */
export function foreignFilters(entries: readonly ConfigEntry[]): readonly string[] {
  const names = entries.flatMap((entry) => {
    if (isForeignFilter(entry)) return [entry.name ?? ""];
    return isLfsProgram(entry) ? ["lfs"] : [];
  });
  return [...new Set(names)];
}

/** The values with which git notices every changed file. With others it may overwrite one. */
const STRICT_FILE_CHECKS: Readonly<Record<string, string>> = {
  "core.checkstat": "default",
  "core.trustctime": "true",
  "core.ignorestat": "false",
};

/** Settings that replace those that run a program or hide a change. Files are shown unconverted, and hooks are off. */
export function harmlessOverrides(entries: readonly ConfigEntry[]): ConfigPairs {
  return Object.fromEntries(
    entries.flatMap((entry) => {
      const { section, name, key } = entry;
      const strictValue = STRICT_FILE_CHECKS[nameOf(entry)];
      if (strictValue !== undefined) return [[nameOf(entry), strictValue]];
      if (name === null) return [];
      if (section === "diff" && key === "textconv") return [[nameOf(entry), "cat"]];
      // A cache of conversions is a ref, and a reading call must write none.
      if (section === "diff" && key === "cachetextconv") return [[nameOf(entry), "false"]];
      if (section === "diff" && key === "command") return [[nameOf(entry), "true"]];
      return section === "hook" ? [[`hook.${name}.enabled`, "false"]] : [];
    }),
  );
}
