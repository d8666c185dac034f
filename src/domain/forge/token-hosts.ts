/** Decides the only host that may get each forge token of the environment, whatever address a remote has. */

/** Variables whose values Tazuna gives to git if the user's own credential helpers have no answer. */
const TOKEN_VARIABLES = ["TAZUNA_GITHUB_TOKEN", "TAZUNA_GITLAB_TOKEN", "TAZUNA_GITEA_TOKEN"] as const;
type TokenVariable = (typeof TOKEN_VARIABLES)[number];
export type ForgeTokens = Readonly<Partial<Record<TokenVariable, string>>>;

/** One token and the only place that gets it, in the terms of git's credential protocol. */
export interface HostToken {
  readonly protocol: "https" | "http";
  /** With its port, if that is not the protocol's default. */
  readonly host: string;
  readonly username: string;
  readonly password: string;
}

export interface HostNames {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** From the environment and the user's own file only: else a repository could name any host. */
  readonly forge: { readonly kind: string; readonly api_url: string | null };
}

/** Null if the token's host is not known, or if others could read the token on the way. */
export function hostTokens(tokens: ForgeTokens, names: HostNames): readonly HostToken[] {
  return TOKEN_VARIABLES.flatMap((variable) => {
    const password = tokens[variable]?.trim() ?? "";
    const place = gitPlaceOf(PLACES[variable](names));
    // A line break would begin another line of git's protocol.
    if (password === "" || /[\r\n\0]/.test(password) || place === null) return [];
    return [{ ...place, username: USERNAMES[variable], password }];
  });
}

/** The user name that forges accept with a token, if the address has none. */
const USERNAMES: Readonly<Record<TokenVariable, string>> = {
  TAZUNA_GITHUB_TOKEN: "x-access-token",
  TAZUNA_GITLAB_TOKEN: "oauth2",
  TAZUNA_GITEA_TOKEN: "x-access-token",
};

const PLACES: Readonly<Record<TokenVariable, (names: HostNames) => string | null>> = {
  TAZUNA_GITHUB_TOKEN: ({ env, forge }) =>
    configured(forge, "github") ??
    (env.GH_HOST || null) ??
    (env.GITHUB_API_URL || null) ??
    "https://github.com",
  TAZUNA_GITLAB_TOKEN: ({ env, forge }) =>
    configured(forge, "gitlab") ?? (env.GITLAB_HOST || null) ?? "https://gitlab.com",
  TAZUNA_GITEA_TOKEN: ({ forge }) => configured(forge, "gitea"),
};

function configured(forge: HostNames["forge"], kind: string): string | null {
  return forge.kind === kind ? forge.api_url : null;
}

/** Git's protocol and host for a host name or an API address; plain http only on this machine. */
export function gitPlaceOf(text: string | null): Pick<HostToken, "protocol" | "host"> | null {
  const url = text === null ? null : URL.parse(text.includes("://") ? text : `https://${text}`);
  if (url === null) return null;
  // `api.github.com` and `api.TENANT.ghe.com` serve the API of the host without that word.
  const host = /^api\.(?:github\.com|[a-z0-9-]+\.ghe\.com)$/.test(url.host) ? url.host.slice(4) : url.host;
  if (url.protocol === "https:") return { protocol: "https", host };
  return url.protocol === "http:" && isLoopback(url.hostname) ? { protocol: "http", host } : null;
}

export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** The environment without those tokens, and the tokens: a process gets them only if they are passed to it. */
export function takeTokens(env: Readonly<Record<string, string>>): {
  readonly env: Readonly<Record<string, string>>;
  readonly tokens: ForgeTokens;
} {
  const isToken = (name: string) => TOKEN_VARIABLES.some((variable) => variable === name);
  const entries = Object.entries(env);
  return {
    env: Object.fromEntries(entries.filter(([name]) => !isToken(name))),
    tokens: Object.fromEntries(entries.filter(([name, value]) => isToken(name) && value !== "")),
  };
}
