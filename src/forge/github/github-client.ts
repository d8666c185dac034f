/** Joins GitHub's own client with our connection to one forge. */
import { Octokit } from "@octokit/rest";
import type { ForgeAccess, ForgeError } from "../forge.ts";
import { createForgeClient, type ForgeClient } from "../http/forge-client.ts";
import { ForgeFailure, unavailable } from "../http/forge-failure.ts";
import type { ForgeMemory } from "../http/forge-memory.ts";
import { hiddenLimitUntil } from "../http/rate-limit.ts";

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
      const { data, headers } = await octokit.request({ method: "POST", url, query, variables });
      const until = hiddenLimitUntil(new Headers(headers as Record<string, string>), access.clock.now());
      return dataOf(data, { host: new URL(apiUrl).host, resumeAt: until.toISOString() });
    },
    tailOf: client.tailOf,
    apiUrl,
    repository: { owner: access.repository.owner, repo: access.repository.name },
  };
}

/** GraphQL answers errors with status 200, also that its limit is reached. */
function dataOf(
  answer: unknown,
  { host, resumeAt }: { readonly host: string; readonly resumeAt: string },
): unknown {
  const { data, errors } = (answer ?? {}) as { readonly data?: unknown; readonly errors?: unknown };
  if (!Array.isArray(errors) || errors.length === 0) return data;
  const { type, message } = errors[0] as { readonly type?: unknown; readonly message?: unknown };
  const code = GRAPHQL_CODES[String(type)] ?? "forge_refused";
  const words = String(message ?? "").slice(0, 600);
  const isLimit = code === "rate_limited";
  throw new ForgeFailure({
    ...unavailable(`${host} refused: ${words}`, { status: 200, transient: isLimit }),
    code,
    resumeAt: isLimit ? resumeAt : null,
  });
}

const GRAPHQL_CODES: Readonly<Record<string, ForgeError["code"]>> = {
  FORBIDDEN: "forge_forbidden",
  INSUFFICIENT_SCOPES: "forge_forbidden",
  NOT_FOUND: "forge_not_found",
  RATE_LIMITED: "rate_limited",
};
