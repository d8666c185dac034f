/** Joins GitHub's own client with our connection to one forge. */
import { Octokit } from "@octokit/rest";
import type { ForgeAccess } from "../forge.ts";
import { createForgeClient, type ForgeClient } from "../http/forge-client.ts";
import { ForgeFailure, unavailable } from "../http/forge-failure.ts";
import type { ForgeMemory } from "../http/forge-memory.ts";

export interface GitHubClient {
  readonly rest: Octokit["rest"];
  readonly paginate: Octokit["paginate"];
  /** The `data` of an answer; an error that GraphQL names is thrown as a failure of the forge. */
  readonly graphql: (query: string, variables: Readonly<Record<string, unknown>>) => Promise<unknown>;
  readonly tailOf: ForgeClient["tailOf"];
  readonly apiUrl: string;
  readonly repository: { readonly owner: string; readonly repo: string };
}

export function createGitHubClient(access: ForgeAccess, memory: ForgeMemory): GitHubClient {
  const client = createForgeClient(access, memory);
  const silent = () => {};
  const apiUrl = access.apiUrl.replace(/\/+$/, "");
  const octokit = new Octokit({
    baseUrl: apiUrl,
    userAgent: "tazuna",
    request: { fetch: client.fetch },
    log: { debug: silent, info: silent, warn: silent, error: silent },
  });
  return {
    rest: octokit.rest,
    paginate: octokit.paginate,
    graphql: async (query, variables) => {
      // An Enterprise server has it beside `/api/v3`.
      const url = `${apiUrl.replace(/\/api\/v3$/, "/api")}/graphql`;
      const { data } = await octokit.request({ method: "POST", url, query, variables });
      return dataOf(data, new URL(apiUrl).host);
    },
    tailOf: client.tailOf,
    apiUrl,
    repository: { owner: access.repository.owner, repo: access.repository.name },
  };
}

/** GraphQL answers errors with status 200. */
function dataOf(answer: unknown, host: string): unknown {
  const { data, errors } = (answer ?? {}) as { readonly data?: unknown; readonly errors?: unknown };
  if (!Array.isArray(errors) || errors.length === 0) return data;
  const { type, message } = errors[0] as { readonly type?: unknown; readonly message?: unknown };
  const code = GRAPHQL_CODES[String(type)] ?? "forge_refused";
  const words = String(message ?? "").slice(0, 600);
  throw new ForgeFailure({
    ...unavailable(`${host} refused: ${words}`, { transient: false }),
    code,
    status: 200,
  });
}

const GRAPHQL_CODES: Readonly<Record<string, "forge_forbidden" | "forge_not_found">> = {
  FORBIDDEN: "forge_forbidden",
  INSUFFICIENT_SCOPES: "forge_forbidden",
  NOT_FOUND: "forge_not_found",
};
