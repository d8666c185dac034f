/** Decides which watched settings of a repository have an effect on one git call of ours. */

interface CallOfGit {
  /** Begins with the subcommand. */
  readonly args: readonly string[];
  /** Whether it talks to a remote, or may fetch missing objects. */
  readonly reachesRemotes: boolean;
}

interface Rule {
  readonly keys: RegExp;
  heeds(call: CallOfGit, key: string): boolean;
}

/** They do not read files of the working tree. */
const ONLY_TRANSFERS = subcommands("fetch", "push", "ls-remote");
const looksAtFiles = (call: CallOfGit) => !ONLY_TRANSFERS(call);
const MERGES = subcommands("merge", "pull");
const COMMITS = subcommands("commit", "merge", "pull");

/** The first rule that matches a setting decides. A setting without a rule has an effect on every call. */
const RULES: readonly Rule[] = [
  { keys: /^filter\./, heeds: looksAtFiles },
  { keys: /^core\.(?:attributesfile|excludesfile)$|^info\/attributes$|^modules\//, heeds: looksAtFiles },
  { keys: /^lfs\./, heeds: looksAtFiles },
  { keys: /^alias\.lfs$/, heeds: subcommands("lfs") },
  { keys: /^(?:merge\..+\.driver|branch\..+\.mergeoptions|pull\..+)$/s, heeds: MERGES },
  {
    keys: /^(?:user|author|committer|gpg)\.|^commit\.gpgsign$/,
    heeds: (call) => COMMITS(call) || call.args.includes("-S"),
  },
  { keys: /^remote\..+\.promisor$/s, heeds: reachesRemotes },
  { keys: /^remote\./, heeds: (call, key) => reachesRemotes(call) && mayMean(call, nameIn(key)) },
  { keys: /^core\.(?:sshcommand|gitproxy|askpass)$/, heeds: reachesRemotes },
  { keys: /^(?:credential|fetch|http|https|protocol|remotes|ssh|url)\./, heeds: reachesRemotes },
];

/** `key` in the form of `Setting`. */
export function isHeeded(key: string, call: CallOfGit): boolean {
  return RULES.find(({ keys }) => keys.test(key))?.heeds(call, key) ?? true;
}

function subcommands(...names: readonly string[]): (call: CallOfGit) => boolean {
  return ({ args }) => names.includes(args[0] ?? "");
}

/** Submodules and Git LFS contact remotes on their own. */
function reachesRemotes({ args, reachesRemotes: reaches }: CallOfGit): boolean {
  return reaches || args[0] === "submodule" || args[0] === "lfs";
}

/** Calls that name their remote. The others may use any remote, as may those of submodules and Git LFS. */
const NAMES_REMOTE: ReadonlySet<string> = new Set(["fetch", "pull", "push", "ls-remote"]);

function mayMean({ args }: CallOfGit, remote: string): boolean {
  return (
    !NAMES_REMOTE.has(args[0] ?? "") ||
    args.includes(remote) ||
    args.slice(1).every((word) => word.startsWith("-"))
  );
}

/** `remote.NAME.url`; a name may hold dots. */
function nameIn(key: string): string {
  return key.slice("remote.".length, key.lastIndexOf("."));
}
