/** Reads what a request of git over HTTP asks a depot for. Anything else is no address of a depot. */

export interface DepotCall {
  /** The folder of the repository, such as `shop-0f3c….git`. */
  readonly name: string;
  readonly path: "info/refs" | "git-upload-pack" | "git-receive-pack";
  readonly method: "GET" | "POST";
  readonly query: "" | "service=git-upload-pack" | "service=git-receive-pack";
}

const ADDRESS =
  /^\/depot\/([a-z0-9][a-z0-9-]{0,60}-[0-9a-f]{32}\.git)\/(info\/refs|git-upload-pack|git-receive-pack)$/;

/** `path` as it came, not decoded: no name of a depot needs an escape. Null if there is nothing. */
export function readDepotCall(asked: {
  readonly method: string;
  readonly path: string;
  readonly query: string;
}): DepotCall | null {
  const [, name, path] = ADDRESS.exec(asked.path) ?? [];
  if (name === undefined || path === undefined) return null;
  const { method, query } = asked;
  const asks = query === "service=git-upload-pack" || query === "service=git-receive-pack";
  // Without a service, git would answer as to clients of 2009.
  if (path === "info/refs") return method === "GET" && asks ? { name, path, method, query } : null;
  return method === "POST" && query === "" ? { name, path: path as DepotCall["path"], method, query } : null;
}
