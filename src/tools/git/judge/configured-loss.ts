/** Finds settings of a repository that make a harmless call delete or overwrite references. */
import type { GitCall } from "../../../domain/git-policy/parse/parse-call.ts";
import { allOperands, has, valuesOf } from "../../../domain/git-policy/table/command-table.ts";
import type { CallNature } from "../repository/call-flaw.ts";
import type { RepositoryFlaw } from "../repository/find-repository.ts";
import { type ConfigEntry, nameOf } from "../repository/parse-config.ts";

/** The first setting that would lose something, or null. */
export function configuredLoss(entries: readonly ConfigEntry[], call: CallNature): RepositoryFlaw | null {
  const found = lossIn(entries, call.call);
  if (found === undefined) return null;
  const { entry, what } = found;
  const name = nameOf(entry);
  const message = `${name} of this repository (${(entry.value ?? "true").slice(0, 80)}) makes git ${call.subcommand} ${what}.`;
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
