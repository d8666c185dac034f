/** Checks out submodules without overwriting their ignored files; git takes this option only from settings. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ConfigPairs } from "../../../domain/git-policy/hardening/settings.ts";
import type { CallNature } from "../repository/call-flaw.ts";
import type { RepositoryFlaw } from "../repository/find-repository.ts";
import type { KnownFiles } from "../repository/known-files.ts";
import { type ConfigEntry, nameOf, parseConfig } from "../repository/parse-config.ts";

interface Place {
  /** Absolute. */
  readonly topLevel: string;
  readonly entries: readonly ConfigEntry[];
  readonly files: KnownFiles;
}

/** Git runs this in the submodule, followed by the commit. */
const CHECKOUT = "!git checkout -q --no-overwrite-ignore";
/** The limit for submodules inside submodules. */
const DEEPEST = 8;

/** The update settings of each submodule, if the call updates any, and the first setting that would lose files. */
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

/** The submodules that the tree lists, and those that each of them lists. */
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
