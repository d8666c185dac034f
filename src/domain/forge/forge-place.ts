/** Finds the forge and the repository there that a remote's address leads to. */
import { isLoopback } from "./token-hosts.ts";

export type ForgeWord = "github" | "gitlab" | "gitea";

/** Where the API of a repository's forge is. */
export interface ForgePlace {
  readonly kind: ForgeWord;
  /** Without a slash at its end. */
  readonly apiUrl: string;
  /** As in addresses of git, with its port if that is not the protocol's default. */
  readonly host: string;
  readonly owner: string;
  readonly name: string;
}

interface ForgeNames {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `forge` of the configuration, never of a repository's own files. */
  readonly forge: { readonly kind: string; readonly api_url: string | null };
}

/** Null if no forge is known at that address. */
export function forgePlace(address: string, names: ForgeNames): ForgePlace | null {
  const repository = repositoryAt(address);
  if (repository === null) return null;
  const api = apiAt(repository.host, names);
  return api === null ? null : { ...repository, ...api };
}

/** The host and the path of an address, as `https://HOST/OWNER/NAME.git` or `git@HOST:OWNER/NAME`. */
export function repositoryAt(address: string): Pick<ForgePlace, "host" | "owner" | "name"> | null {
  const url = address.includes("://") ? URL.parse(address) : sshAddress(address);
  if (url === null || !/^(?:https?|ssh|git):$/.test(url.protocol) || url.hostname === "") return null;
  const parts = url.pathname
    .replace(/\.git\/?$/, "")
    .split("/")
    .filter((part) => part !== "")
    .map((part) => decodeURIComponent(part));
  const name = parts.at(-1);
  if (name === undefined || parts.length < 2) return null;
  // The port of ssh is not that of the API.
  const host = url.protocol === "ssh:" || url.protocol === "git:" ? url.hostname : url.host;
  return { host: host.toLowerCase(), owner: parts.slice(0, -1).join("/"), name };
}

/** `user@host:path`, which is no URL. */
function sshAddress(address: string): URL | null {
  const [, host, path] = /^(?:[^@/\s]+@)?([^:/\s]+):(?!\/\/)(.+)$/.exec(address) ?? [];
  return host === undefined ? null : URL.parse(`ssh://${host}/${path}`);
}

type Api = Pick<ForgePlace, "kind" | "apiUrl">;

/** What a person named comes before what is known of well-known hosts. */
function apiAt(host: string, { env, forge }: ForgeNames): Api | null {
  const kind = forge.kind === "auto" ? null : (forge.kind as ForgeWord);
  if (kind !== null && forge.api_url !== null) {
    const named = namedApi(kind, forge.api_url, host);
    if (named !== null) return named;
  }
  for (const [of, address] of [
    ["github", env.GITHUB_API_URL],
    ["github", env.GH_HOST],
    ["gitlab", env.GITLAB_HOST],
  ] as const) {
    const named = address ? namedApi(of, address, host) : null;
    if (named !== null) return named;
  }
  return wellKnown(host) ?? (kind === null || forge.api_url !== null ? null : apiOf(kind, `https://${host}`));
}

function wellKnown(host: string): Api | null {
  if (host === "github.com" || host === "ssh.github.com")
    return { kind: "github", apiUrl: "https://api.github.com" };
  if (/^[a-z0-9-]+\.ghe\.com$/.test(host)) return { kind: "github", apiUrl: `https://api.${host}` };
  if (host === "gitlab.com" || host === "altssh.gitlab.com") return apiOf("gitlab", "https://gitlab.com");
  if (host === "codeberg.org" || host === "gitea.com") return apiOf("gitea", `https://${host}`);
  return null;
}

/** The API at this address, if it is that of the host. Ports may differ: git and the API are two services. */
function namedApi(kind: ForgeWord, address: string, host: string): Api | null {
  const url = URL.parse(address.includes("://") ? address : `https://${address}`);
  if (url === null) return null;
  const isSecret = url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
  const names = [url.hostname, url.hostname.replace(/^api\./, "")];
  if (!isSecret || !names.includes(withoutPort(host))) return null;
  const path = url.pathname.replace(/\/+$/, "");
  if (path !== "") return { kind, apiUrl: `${url.origin}${path}` };
  return url.hostname === withoutPort(host) ? apiOf(kind, url.origin) : { kind, apiUrl: url.origin };
}

function withoutPort(host: string): string {
  return host.replace(/:\d+$/, "");
}

const PATHS: Readonly<Record<ForgeWord, string>> = { github: "/api/v3", gitlab: "/api/v4", gitea: "/api/v1" };

function apiOf(kind: ForgeWord, origin: string): Api {
  return { kind, apiUrl: `${origin}${PATHS[kind]}` };
}
