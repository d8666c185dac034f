/** Finds out which remotes the user and a repository configure. */
import { join } from "node:path";
import { UNKNOWN_BRANCH } from "../../../domain/git-policy/remotes/contacted.ts";
import type { Contacts } from "../../../domain/git-policy/remotes/contacts.ts";
import {
  BRANCH_QUESTION,
  branchIn,
  NO_REPOSITORY,
  type RemoteSettings,
  remoteGroups,
  remoteNames,
  SETTINGS_QUESTION,
  settingsIn,
} from "../../../domain/git-policy/remotes/remote-settings.ts";
import type { ToolContext } from "../../core/context.ts";
import { findRepository, isFlaw } from "../repository/find-repository.ts";
import { configSearch } from "../repository/inspect-repository.ts";
import { type ConfigEntry, nameOf } from "../repository/parse-config.ts";
import { type ConfigSearch, readConfig } from "../repository/read-config.ts";
import { type AskGit, type Asking, askGit } from "../repository/run-git.ts";

interface KnownRemotes {
  readonly settings: RemoteSettings;
  /** The branch that is checked out; null for a detached HEAD. */
  readonly branch: string | null;
}

/**
 * Asks git itself, because only git reads conditions, symbolic refs and later forms of both correctly. For a new
 * repository there are two answers, and either may apply. Null if git does not answer.
 */
export async function askRemotes(
  { isNew, unnamed }: Contacts,
  place: Asking,
): Promise<readonly KnownRemotes[] | null> {
  const branch = unnamed === "default" ? await branchOf(askGit(place)) : null;
  const places = [place, ...(isNew ? [{ ...place, env: { ...place.env, GIT_DIR: NO_REPOSITORY } }] : [])];
  const answers = await Promise.all(places.map((place) => askGit(place)(SETTINGS_QUESTION)));
  if (answers.some(({ kind }) => kind === "unknown")) return null;
  return answers.map((one) => ({ settings: settingsIn(one.kind === "answered" ? one.text : null), branch }));
}

async function branchOf(ask: AskGit): Promise<string | null> {
  const head = await ask(BRANCH_QUESTION);
  if (head.kind === "answered") return branchIn(head.text);
  const full = await ask(["rev-parse", "--symbolic-full-name", "HEAD"]);
  return full.kind === "answered" && full.text.trim() === "HEAD" ? null : UNKNOWN_BRANCH;
}

function remoteSettings(context: ToolContext, own: readonly ConfigEntry[]): RemoteSettings {
  return [...userConfig(context), ...own].flatMap((entry) =>
    entry.value === null && entry.key !== "promisor" ? [] : [[nameOf(entry), entry.value ?? "true"] as const],
  );
}

/** Names of the remotes and groups in a folder's repository, as far as its files show them. No process is started. */
export function remotesKnownIn(folder: string, context: ToolContext): readonly string[] {
  const settings = remoteSettings(context, ownConfig(folder, configSearch(context)));
  return [...remoteNames(settings), ...remoteGroups(settings).keys()];
}

function userConfig(context: ToolContext): readonly ConfigEntry[] {
  const search = configSearch(context);
  const { XDG_CONFIG_HOME } = context.host.environment();
  const { home } = search;
  const folder = XDG_CONFIG_HOME || (home === null ? null : join(home, ".config"));
  const files = [
    ...(folder === null ? [] : [join(folder, "git", "config")]),
    ...(home === null ? [] : [join(home, ".gitconfig")]),
  ];
  return readConfig(files, search).entries;
}

/** Empty if the repository cannot be found with certainty: the call is refused later. */
function ownConfig(folder: string, search: ConfigSearch): readonly ConfigEntry[] {
  const found = findRepository(folder, search.files);
  if (found === null || isFlaw(found)) return [];
  return readConfig([join(found.commonDir, "config"), join(found.gitDir, "config.worktree")], search).entries;
}
