/** Reads the address of a repository to clone: what may be cloned, and which addresses mean the same repository. */
import { err, ok, type Result } from "neverthrow";
import { isLoopback } from "../forge/token-hosts.ts";

export interface CloneAddress {
  /** What git is given. It holds no password, and a user name only if ssh needs it. */
  readonly url: string;
  /** Equal for all addresses of one repository at one place. */
  readonly key: string;
  /** A short name for people: the last part of the path. */
  readonly name: string;
}

/** Why an address is not cloned. Neither text holds a secret of the address. */
export interface RefusedAddress {
  readonly message: string;
  readonly remedy: string;
}

const MAX_LENGTH = 2_000;

/** Git's own test: `host:path` has a colon before every slash. One letter before it is a drive of Windows. */
const SCP_LIKE = /^(?:([^/:@\s]+)@)?([^/:@\s]{2,}|\[[^\]/@\s]+\]):(?!:)(.*)$/;
const HELPER = /^([A-Za-z0-9][A-Za-z0-9.+-]*)::/;
const WITH_SCHEME = /^([A-Za-z][A-Za-z0-9.+-]*):\/\//;

/** Whether a text is meant as an address, not as a folder, a name or an id. */
export function looksLikeAddress(text: string): boolean {
  return HELPER.test(text) || WITH_SCHEME.test(text) || /^file:/i.test(text) || SCP_LIKE.test(text);
}

/** The address, or why it is refused. */
export function readCloneAddress(text: string): Result<CloneAddress, RefusedAddress> {
  if (text.length > MAX_LENGTH) return refused("The address is too long.", SHAPES);
  if (/[\s\p{Cc}\\]/u.test(text))
    return refused("The address has a space, a backslash or a control character in it.", SHAPES);
  if (text.startsWith("-")) return refused("The address begins with a dash.", SHAPES);
  const helper = HELPER.exec(text)?.[1];
  if (helper !== undefined)
    return refused(`\`${helper}::\` makes git run a program of that name, so it is not cloned.`, SHAPES);
  const scheme = (WITH_SCHEME.exec(text)?.[1] ?? /^(file):/i.exec(text)?.[1])?.toLowerCase();
  if (scheme === "https" || scheme === "http") return webAddress(text);
  if (scheme === "ssh") return sshAddress(text);
  if (scheme !== undefined) return otherScheme(scheme);
  const scp = SCP_LIKE.exec(text);
  return scp === null
    ? refused("That is no address of a repository.", SHAPES)
    : sshPlace({ user: scp[1] ?? "", host: scp[2] ?? "", port: "", path: scp[3] ?? "", url: text });
}

/** The key of an address that was taken before; null if it is none. */
export function keyOfAddress(url: string): string | null {
  return readCloneAddress(url)
    .map(({ key }) => key)
    .unwrapOr(null);
}

const SHAPES =
  "Give an address such as `https://github.com/OWNER/NAME` or `git@github.com:OWNER/NAME`, or a folder on this machine.";

function refused(message: string, remedy: string): Result<never, RefusedAddress> {
  return err({ message, remedy });
}

function otherScheme(scheme: string): Result<never, RefusedAddress> {
  if (scheme === "file")
    return refused(
      "`file:` names a repository on this machine, which needs no clone.",
      "Give the path of its folder instead.",
    );
  if (scheme === "git")
    return refused("Nothing protects what comes over `git://` from being changed on the way.", SHAPES);
  return refused(`Addresses with \`${scheme}:\` are not cloned.`, SHAPES);
}

function webAddress(text: string): Result<CloneAddress, RefusedAddress> {
  // What stands before the last `@` of the host is never shown, nor given to git.
  const [, scheme = "", user, rest = ""] = /^(https?):\/\/(?:([^/?#]*)@)?(.*)$/i.exec(text) ?? [];
  if (user?.includes(":") || (user?.length ?? 0) >= MIN_TOKEN_LENGTH)
    return refused(
      "The address has a password or a token in it, which would stand in the configuration of the clone.",
      `Leave it out of the address, and take it back if others could have seen it. Tazuna asks your git's credential helper, \`gh\`, \`glab\` and TAZUNA_GITHUB_TOKEN (TAZUNA_GITLAB_TOKEN, TAZUNA_GITEA_TOKEN).`,
    );
  const url = URL.parse(`${scheme}://${rest}`);
  if (url === null || url.hostname.startsWith("-")) return refused("The address has no valid host.", SHAPES);
  if (url.search !== "" || url.hash !== "" || /[?#]/.test(rest))
    return refused("The address has a query or a fragment, which no repository has.", SHAPES);
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    return refused(
      "Others could read and change what comes over plain http.",
      `Use https: \`tazuna repo add https://${url.host}${url.pathname}\`.`,
    );
  return placed({ url: url.href, scheme: url.protocol, host: url.host, path: url.pathname });
}

/** A user name of this length may be a token. */
const MIN_TOKEN_LENGTH = 16;

function sshAddress(text: string): Result<CloneAddress, RefusedAddress> {
  const [, user = "", host = "", port = "", path = ""] =
    /^ssh:\/\/(?:([^/@]*)@)?(\[[^\]/@]+\]|[^/:@]+)(?::(\d{0,5}))?(\/.*)?$/i.exec(text) ?? [];
  return sshPlace({ user, host, port, path, url: text });
}

function sshPlace(place: {
  readonly user: string;
  readonly host: string;
  readonly port: string;
  readonly path: string;
  readonly url: string;
}): Result<CloneAddress, RefusedAddress> {
  const { user, host, path, url } = place;
  if (user.includes(":"))
    return refused(
      "The address has a password in it, which ssh would not use.",
      "Leave it out of the address: ssh takes a key of your ssh agent.",
    );
  // ssh would take such a word for an option.
  if (host === "" || host.startsWith("-") || user.startsWith("-"))
    return refused("The address has no valid host.", SHAPES);
  if (path.replace(/^\//, "").startsWith("-")) return refused("The path begins with a dash.", SHAPES);
  const port = place.port === "" || place.port === "22" ? "" : `:${place.port}`;
  const at = `${host.toLowerCase()}${port}`;
  // A path without a slash begins in the home of that user, which is another one for each.
  const ofHome = /^(?!\/)(?:~\/)?(.*)$|^\/~\/(.*)$/.exec(path);
  return ofHome === null
    ? placed({ url, scheme: "ssh:", host: at, path })
    : placed({ url, scheme: "ssh:", host: `${user}@${at}`, path: `~/${ofHome[1] ?? ofHome[2]}` });
}

function placed(place: {
  readonly url: string;
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
}): Result<CloneAddress, RefusedAddress> {
  const path = place.path.replace(/^\/+|\/+$/g, "").replace(/\.git$/, "");
  const name = path.split("/").at(-1) ?? "";
  if (["", ".", "..", "~"].includes(name))
    return refused("The address names no repository of its host.", SHAPES);
  return ok({ url: place.url, key: `${place.scheme}//${place.host}/${path}`, name });
}
