/** Speaks with one repository on Gitea or Forgejo. */
import type { ForgeAccess } from "../forge.ts";
import { createForgeClient } from "../http/forge-client.ts";
import type { ForgeMemory } from "../http/forge-memory.ts";
import { createJsonClient, type JsonClient } from "../http/json-client.ts";

export interface GiteaClient extends JsonClient {
  /** The path of the repository in the API. */
  readonly place: string;
  readonly owner: string;
  /** With the path that it gives for a page of its own; null if it gave none. */
  readonly pageAt: (path: string | null | undefined) => string | null;
}

export function createGiteaClient(access: ForgeAccess, memory: ForgeMemory): GiteaClient {
  const json = createJsonClient(access, createForgeClient(access, memory, "token"));
  const { owner, name } = access.repository;
  return {
    ...json,
    place: `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`,
    owner,
    pageAt: (path) => (path ? (URL.parse(path, access.apiUrl)?.href ?? null) : null),
  };
}

/** The most that a page holds unless an administrator says otherwise. */
export const PAGE = 50;
