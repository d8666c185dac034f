/** Explains what is wrong with the addresses of a repository's remotes, without contacting any of them. */
import { isLoopback } from "../forge/token-hosts.ts";
import { shellWord } from "../text/shell-word.ts";
import { type Finding, makeFinding, repositoriesOf } from "./finding.ts";

export interface RemoteFacts {
  readonly name: string;
  /** Without credentials. */
  readonly fetchUrl: string;
  readonly pushUrl: string;
  /** The address in the configuration carries a password or a token. */
  readonly credentialsInUrl: boolean;
  /** The local folders in its addresses that do not exist. */
  readonly gone: readonly string[];
}

interface RepositoryRemotes {
  /** The repository's name and place. */
  readonly name: string;
  readonly path: string;
  readonly remotes: readonly RemoteFacts[];
  /** Why the configured remotes cannot be used; null if they can. */
  readonly missing: string | null;
  /** Whether doctor was called here. */
  readonly here: boolean;
}

export function remoteFindings(repository: RepositoryRemotes): readonly Finding[] {
  const { name, path, remotes, missing, here } = repository;
  const gone = remotes.flatMap((remote) =>
    remote.gone.map((place) => {
      const id = `remote_gone:${path}:${remote.name}`;
      return makeFinding(here ? "error" : "warning", id, `The remote "${remote.name}" is not at ${place}.`, {
        whose: repositoriesOf([name]),
        why: "Runs end with `fetch_failed`, or cannot push.",
        path: place,
        remedy: `Put it back there, or say with ${setUrl(repository, remote, null)} where it is.`,
      });
    }),
  );
  return [
    ...remotes.flatMap((remote) => [tokenFinding(repository, remote), plainFinding(repository, remote)]),
    ...gone,
    missing === null ? null : missingFinding(repository, missing),
  ].filter((finding) => finding !== null);
}

function missingFinding({ name, path, here }: RepositoryRemotes, missing: string): Finding {
  const what = `The configured remote cannot be used: ${missing}.`;
  return makeFinding(here ? "error" : "warning", `remote_missing:${path}`, what, {
    whose: repositoriesOf([name]),
    path,
    remedy: "Set `remote` (and `push_remote`) to one of them in the configuration.",
  });
}

function tokenFinding(repository: RepositoryRemotes, remote: RemoteFacts): Finding | null {
  if (!remote.credentialsInUrl) return null;
  const what = `The address of the remote "${remote.name}" carries a password or a token.`;
  return makeFinding("warning", `remote_token:${repository.path}:${remote.name}`, what, {
    whose: repositoriesOf([repository.name]),
    why: "Every agent can read git's configuration. Tazuna shows it nowhere and copies it nowhere.",
    path: repository.path,
    remedy: `${withoutToken(repository, remote)}, and keep the token in a credential helper (\`git config --global credential.helper store\`, or your system's own).`,
  });
}

/** The remedy sets both addresses: to say which one holds the token would show it. */
function withoutToken(repository: RepositoryRemotes, remote: RemoteFacts): string {
  const { fetchUrl, pushUrl } = remote;
  const fetch = setUrl(repository, remote, bare(fetchUrl));
  return pushUrl === fetchUrl
    ? fetch
    : `${fetch} and ${setUrl(repository, remote, bare(pushUrl), "--push ")}`;
}

/** Null if the rest without the secret is not an address. */
function bare(url: string): string | null {
  return url.includes("***") ? null : url;
}

function plainFinding(repository: RepositoryRemotes, remote: RemoteFacts): Finding | null {
  const plain = [remote.fetchUrl, remote.pushUrl].find(isPlain);
  if (plain === undefined) return null;
  const what = `The remote "${remote.name}" is spoken to without encryption.`;
  return makeFinding("warning", `remote_plain:${repository.path}:${remote.name}`, what, {
    whose: repositoriesOf([repository.name]),
    why: `What is pushed, and the credentials for it, can be read on the way to ${plain}.`,
    path: repository.path,
    remedy: setUrl(repository, remote, plain.replace(/^(http|git):/i, "https:")),
  });
}

/** Traffic within this machine cannot be read on the way. */
function isPlain(url: string): boolean {
  const [, host] = /^(?:http|git):\/\/(\[[^\]]*\]|[^/:?#]*)/i.exec(url) ?? [];
  return host !== undefined && !isLoopback(host.toLowerCase());
}

/** If there is no address, the person adds one to the command. */
function setUrl(
  { path }: RepositoryRemotes,
  remote: RemoteFacts,
  url: string | null,
  option: "" | "--push " = "",
): string {
  const address = url === null ? "" : ` ${shellWord(url)}`;
  return `\`git -C ${shellWord(path)} remote set-url ${option}${shellWord(remote.name)}${address}\``;
}
