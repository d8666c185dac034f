/** Puts another login into the address of a Postgres, and says whether only one machine reaches it. */

const ADDRESS = /^(postgres(?:ql)?:\/\/)(?:[^/?#]*@)?([^/?#]*)([^?#]*)(?:\?([^#]*))?/i;

/** The rest of the address stays as it is: host, database, TLS. A login that is named in its query goes too. */
export function addressWithLogin(
  address: string,
  { user, password }: { readonly user: string; readonly password: string },
): string {
  const [, scheme = "postgres://", host = "", path = "", query = ""] = ADDRESS.exec(address) ?? [];
  const kept = query.split("&").filter((part) => part !== "" && !/^(?:user|password)=/i.test(part));
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`;
  return `${scheme}${login}${host}${path}${kept.length === 0 ? "" : `?${kept.join("&")}`}`;
}

/** Whether it names a socket or a loopback address: from another machine it leads elsewhere, or nowhere. */
export function isOnThisMachine(address: string): boolean {
  const [, , place = "", , query = ""] = ADDRESS.exec(address) ?? [];
  const named = query
    .split("&")
    .find((part) => part.startsWith("host="))
    ?.slice("host=".length);
  const host = decodeURIComponent(named ?? place.replace(/:\d+$/, ""));
  return host === "" || host.startsWith("/") || isLoopbackHost(host);
}

export function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/i.test(host);
}
