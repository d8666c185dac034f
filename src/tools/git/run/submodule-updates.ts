/** Has submodules checked out so that ignored files in them are not written over: git takes that word from settings alone. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CallNature } from "./call-flaw.ts";
import type { RepositoryFlaw } from "./find-repository.ts";
import type { ConfigPairs } from "./hardening.ts";
import type { KnownFiles } from "./known-files.ts";
import { type ConfigEntry, nameOf, parseConfig } from "./parse-config.ts";

interface Place {
  /** Absolute. */
  readonly topLevel: string;
  readonly entries: readonly ConfigEntry[];
  readonly files: KnownFiles;
}

/** Run by git in the submodule, the commit behind it. */
const CHECKOUT = "!git checkout -q --no-overwrite-ignore";
/** Submodules of submodules, and so on. */
const DEEPEST = 8;

/** How each submodule is brought up to date, for a call that does so; the setting that is worse than a checkout, if one is. */
export function submoduleUpdates(
  { subcommand, args }: Pick<CallNature, "subcommand" | "args">,
  { topLevel, entries, files }: Place,
): { readonly config: ConfigPairs; readonly loss: RepositoryFlaw | null } {
  if (subcommand !== "submodule" || !args.includes("update")) return { config: {}, loss: null };
  const listed = listedIn(topLevel, files, 0);
  const names = new Set(listed.flatMap(({ name }) => name ?? []));
  const keys = [...names].map((name) => `submodule.${name}.update`);
  const said = new Map([...listed, ...entries].map((entry) => [nameOf(entry), entry.value]));
  const merging = keys.find((key) => /^(merge|rebase)$/.test(said.get(key) ?? ""));
  const checked = keys.filter((key) => /^(checkout)?$/.test(said.get(key) ?? ""));
  return {
    config: Object.fromEntries(checked.map((key) => [key, CHECKOUT])),
    loss: merging === undefined ? null : { at: merging, message: lossMessage(merging) },
  };
}

function lossMessage(key: string): string {
  return `${key} lets ignored files of the submodule be written over. Call git_command with cwd set to the submodule.`;
}

/** What the tree says of its submodules, and each of them of its own. */
function listedIn(topLevel: string, files: KnownFiles, depth: number): readonly ConfigEntry[] {
  const at = join(topLevel, ".gitmodules");
  const answer = files.ask(at, (bytes) => parseConfig(bytes.toString("utf8")));
  if (answer.kind !== "file" || depth === DEEPEST) return [];
  const own = answer.value.filter(({ section, name }) => section === "submodule" && name !== null);
  const folders = own.flatMap(({ key, value }) =>
    key === "path" && value !== null ? [join(topLevel, value)] : [],
  );
  return [...own, ...folders.flatMap((one) => (existsSync(one) ? listedIn(one, files, depth + 1) : []))];
}
