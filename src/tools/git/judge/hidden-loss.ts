/** Finds what a call with harmless words would lose: by a setting of the repository, or by a stash. */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { GitCall } from "../../../domain/git-policy/parse/parse-call.ts";
import { allOperands, has, valuesOf } from "../../../domain/git-policy/table/command-table.ts";
import type { ToolContext } from "../../core/context.ts";
import type { CallNature } from "../repository/call-flaw.ts";
import type { RepositoryFlaw } from "../repository/find-repository.ts";
import { assumedOf, filesOf } from "../repository/index-gitlinks.ts";
import { indexPaths } from "../repository/index-paths.ts";
import { type ConfigEntry, nameOf } from "../repository/parse-config.ts";

interface Place {
  readonly context: ToolContext;
  readonly cwd: string;
}

/** The first setting that would lose references, or the first file that a stash would lose; else null. */
export function hiddenLoss(
  entries: readonly ConfigEntry[],
  nature: CallNature,
  place: Place,
): RepositoryFlaw | null {
  return configuredLoss(entries, nature) ?? stashLoss(nature.call, place);
}

function configuredLoss(
  entries: readonly ConfigEntry[],
  { subcommand, call }: CallNature,
): RepositoryFlaw | null {
  const found = lossIn(entries, call);
  if (found === undefined) return null;
  const { entry, what } = found;
  const name = nameOf(entry);
  const message = `${name} of this repository (${(entry.value ?? "true").slice(0, 80)}) makes git ${subcommand} ${what}.`;
  return { at: name, message };
}

interface Loss {
  readonly entry: ConfigEntry;
  /** Ends a sentence that begins with the setting and the call. */
  readonly what: string;
}

const FETCHES: ReadonlySet<string> = new Set(["fetch", "pull", "remote update", "remote prune"]);

function lossIn(entries: readonly ConfigEntry[], call: GitCall): Loss | undefined {
  if (call.subcommand === "push") return pushLoss(ofNamedRemotes(entries, call));
  if (call.subcommand === "branch" && has(call, "d")) return deletionLoss(entries);
  return FETCHES.has(call.subcommand) ? fetchLoss(ofNamedRemotes(entries, call), call) : undefined;
}

/** If the call names a remote, the other remotes do not matter. */
function ofNamedRemotes(entries: readonly ConfigEntry[], call: GitCall): readonly ConfigEntry[] {
  const named = [...allOperands(call), ...valuesOf(call, "repo")];
  const isRemote = ({ section, name }: ConfigEntry) => section === "remote" && name !== null;
  if (!entries.some((entry) => isRemote(entry) && named.includes(entry.name ?? ""))) return entries;
  return entries.filter((entry) => !isRemote(entry) || named.includes(entry.name ?? ""));
}

function pushLoss(entries: readonly ConfigEntry[]): Loss | undefined {
  const entry = entries.find(({ section, key, value }) => {
    if (section !== "remote") return false;
    return key === "mirror" ? isOn(value) : key === "push" && /^(\+|:.)/.test(value ?? "");
  });
  return entry && { entry, what: "overwrite or delete what the remote has" };
}

function fetchLoss(entries: readonly ConfigEntry[], call: GitCall): Loss | undefined {
  const isSet = (wanted: string) => entries.some((entry) => entry.key === wanted && isOn(entry.value));
  const prunes = call.subcommand === "remote prune" || has(call, "p") || isSet("prune");
  const overwrites = entries.find(({ section, key, value }) => {
    if (section !== "remote" || key !== "fetch" || value === null) return false;
    const destination = value.includes(":") ? value.slice(value.indexOf(":") + 1) : "";
    return (
      destination !== "" && !destination.startsWith("refs/remotes/") && (prunes || value.startsWith("+"))
    );
  });
  const entry =
    overwrites ?? (prunes ? entries.find(({ key, value }) => key === "prunetags" && isOn(value)) : undefined);
  return entry && { entry, what: "overwrite or delete local branches or tags" };
}

/** A branch that is its own upstream always counts as merged. */
function deletionLoss(entries: readonly ConfigEntry[]): Loss | undefined {
  const entry = entries.find(
    ({ section, name, key, value }) =>
      section === "branch" && key === "merge" && value === `refs/heads/${name}` && isLocal(entries, name),
  );
  return entry && { entry, what: "take the branch for merged, as it is its own upstream" };
}

function isLocal(entries: readonly ConfigEntry[], branch: string | null): boolean {
  const remotes = entries.flatMap(({ section, name, key, value }) =>
    section === "branch" && name === branch && key === "remote" ? [value] : [],
  );
  const writesBranches = ({ section, name, key, value }: ConfigEntry) =>
    section === "remote" && key === "fetch" && remotes.includes(name) && /:refs\/heads\//.test(value ?? "");
  return remotes.includes(".") || entries.some(writesBranches);
}

function isOn(value: string | null): boolean {
  return value === null || !/^(false|no|off|0|)$/i.test(value);
}

function stashLoss(call: GitCall, place: Place): RepositoryFlaw | null {
  if (!putsAway(call)) return has(call, "autostash") ? lostInFolders(place) : null;
  const lost = has(call, "u", "a") ? null : lostInFolders(place);
  return lost ?? (takesEverything(call) ? lostUnseen(place) : null);
}

/** Untracked files in a folder that replaced a tracked file. With `--include-untracked` git keeps them. */
function lostInFolders({ context, cwd }: Place): RepositoryFlaw | null {
  const found = indexPaths(cwd, context, filesOf);
  if (found === null) return null;
  for (const path of found.paths) {
    const at = join(found.topLevel, path);
    if (!lstatSync(at, { throwIfNoEntry: false })?.isDirectory()) continue;
    const message = `${path} was a file and is a folder now: git stash would delete what is untracked in it. Use stash push --include-untracked.`;
    return { at, message };
  }
  return null;
}

/** Files that git assumes unchanged. It does not stash their changes, and puts its own content back. */
function lostUnseen({ context, cwd }: Place): RepositoryFlaw | null {
  const found = indexPaths(cwd, context, assumedOf);
  if (found === null) return null;
  const isThere = (path: string) =>
    lstatSync(join(found.topLevel, path), { throwIfNoEntry: false }) !== undefined;
  const path = found.unnamed ? "A file" : [...found.paths].find(isThere);
  if (path === undefined) return null;
  const message = `${path} is taken for unchanged (git update-index --assume-unchanged): git stash would overwrite it without keeping its changes. Use stash push -- with the files to put away.`;
  return { at: join(found.topLevel, found.unnamed ? "." : path), message };
}

function putsAway({ subcommand, asksForUsage }: GitCall): boolean {
  return /^stash(?: push| save)?$/.test(subcommand) && !asksForUsage;
}

/** If files are named, git looks only at those. The words after `save` are a message. */
function takesEverything(call: GitCall): boolean {
  if (has(call, "S")) return false;
  return (
    call.subcommand === "stash save" || (allOperands(call).length === 0 && !has(call, "pathspec-from-file"))
  );
}
