/** Says what is wrong with the addresses of a repository's remotes, without asking any of them. */
import type { Finding } from "./finding.ts";
import { found, repositoriesOf, shellWord } from "./found.ts";

export interface RemoteFacts {
  readonly name: string;
  /** Without credentials. */
  readonly fetchUrl: string;
  readonly pushUrl: string;
  /** The address in the configuration carries a password or a token. */
  readonly credentialsInUrl: boolean;
  /** The folders of this machine that its addresses name and that are not there. */
  readonly gone: readonly string[];
}

interface Of {
  /** The repository's name and place. */
  readonly name: string;
  readonly path: string;
  readonly remotes: readonly RemoteFacts[];
  /** Why the remotes that the configuration names cannot be used; null where they can. */
  readonly missing: string | null;
  /** Whether this is where doctor was called. */
  readonly here: boolean;
}

export function remoteFindings(of: Of): readonly Finding[] {
  const { name, path, missing, here } = of;
  const level = here ? "error" : "warning";
  return [
    ...of.remotes.flatMap((remote) => [...tokenFinding(of, remote), ...plainFinding(of, remote)]),
    ...of.remotes.flatMap((remote) =>
      remote.gone.map((place) =>
        found(
          level,
          `remote_gone:${path}:${remote.name}`,
          `The remote "${remote.name}" is not at ${place}.`,
          {
            whose: repositoriesOf([name]),
            why: "Runs end with `fetch_failed`, or cannot push.",
            path: place,
            remedy: `${setUrl(of, remote, "ADDRESS")} says where it is.`,
          },
        ),
      ),
    ),
    ...(missing === null
      ? []
      : [
          found(level, `remote_missing:${path}`, `The configured remote cannot be used: ${missing}.`, {
            whose: repositoriesOf([name]),
            path,
            remedy: "Set `remote` (and `push_remote`) to one of them in the configuration.",
          }),
        ]),
  ];
}

function tokenFinding(of: Of, remote: RemoteFacts): readonly Finding[] {
  if (!remote.credentialsInUrl) return [];
  const what = `The address of the remote "${remote.name}" carries a password or a token.`;
  return [
    found("warning", `remote_token:${of.path}:${remote.name}`, what, {
      whose: repositoriesOf([of.name]),
      why: "Every agent can read git's configuration. Tazuna shows it nowhere and copies it nowhere.",
      path: of.path,
      remedy: `${withoutToken(of, remote)}, and keep the token in a credential helper (\`git config --global credential.helper store\`, or your system's own).`,
    }),
  ];
}

/** Which of its addresses it is, nobody says without showing it: both are set. */
function withoutToken(of: Of, remote: RemoteFacts): string {
  const { fetchUrl, pushUrl } = remote;
  const fetch = setUrl(of, remote, bare(fetchUrl));
  return pushUrl === fetchUrl ? fetch : `${fetch} and ${setUrl(of, remote, bare(pushUrl), "--push ")}`;
}

/** A placeholder where what is left without the secret is no address any more. */
function bare(url: string): string {
  return url.includes("***") ? "ADDRESS" : url;
}

function plainFinding(of: Of, remote: RemoteFacts): readonly Finding[] {
  const plain = [remote.fetchUrl, remote.pushUrl].find(isPlain);
  if (plain === undefined) return [];
  const what = `The remote "${remote.name}" is spoken to without encryption.`;
  return [
    found("warning", `remote_plain:${of.path}:${remote.name}`, what, {
      whose: repositoriesOf([of.name]),
      why: `What is pushed, and the credentials for it, can be read on the way to ${plain}.`,
      path: of.path,
      remedy: setUrl(of, remote, plain.replace(/^(http|git):/i, "https:")),
    }),
  ];
}

/** Nobody listens between this machine and itself. */
function isPlain(url: string): boolean {
  const [, host] = /^(?:http|git):\/\/(\[[^\]]*\]|[^/:?#]*)/i.exec(url) ?? [];
  return host !== undefined && !/^(localhost|127(\.\d+){3}|\[::1\])$/i.test(host);
}

function setUrl({ path }: Of, remote: RemoteFacts, url: string, option: "" | "--push " = ""): string {
  return `\`git -C ${shellWord(path)} remote set-url ${option}${shellWord(remote.name)} ${shellWord(url)}\``;
}
