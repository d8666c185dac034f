/** Plays the part of GitHub that a pull request needs: one repository, `ann/garden`, whose branches are real. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Pull {
  readonly number: number;
  state: "open" | "closed";
  merged: boolean;
  draft: boolean;
  title: string;
  body: string | null;
  head: string;
  base: string;
}

interface CheckRun {
  readonly id: number;
  readonly name: string;
  readonly conclusion: "success" | "failure" | null;
  readonly output: string;
}

interface LineComment {
  readonly id: number;
  readonly body: string;
  readonly path: string;
  readonly line: number;
  /** The first comment of its thread, if it is an answer. */
  readonly answers?: number;
}

export interface SmallGitHub extends AsyncDisposable {
  /** Of its API. */
  readonly url: string;
  readonly pulls: Pull[];
  /** By commit. */
  readonly checks: Map<string, CheckRun[]>;
  readonly comments: LineComment[];
  /** `METHOD PATH` of every request. */
  readonly requests: string[];
  /** Until when every request meets the limit; milliseconds since 1970. */
  limitedUntil: number;
  /** How many requests met it. */
  knocks: number;
  /** Answers every request with this status; null answers truly. */
  status: number | null;
  /** Merges the branch on the server, and answers the commit; throws the words of a refusal. */
  merge: (pull: Pull, method: string) => Promise<string>;
  /** Runs after a change is made and before it is answered. */
  onChange: () => void | Promise<void>;
}

/** `headOf` answers the commit of a branch, or null. */
export async function smallGitHub(headOf: (branch: string) => Promise<string | null>): Promise<SmallGitHub> {
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const github: SmallGitHub = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v3`,
    pulls: [],
    checks: new Map(),
    comments: [],
    requests: [],
    limitedUntil: 0,
    knocks: 0,
    status: null,
    merge: async () => {
      throw new Error("Merging is not allowed");
    },
    onChange: () => {},
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await jsonOf(request);
    const url = new URL(request.url ?? "/", "http://github");
    github.requests.push(`${request.method} ${url.pathname}`);
    const answer = await answerTo(github, headOf, { request, url, body });
    if (response.destroyed) return;
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
    response.end(JSON.stringify(answer.data));
  };
  return github;
}

type Body = Readonly<Record<string, never>>;

async function jsonOf(request: IncomingMessage): Promise<Body> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  return chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString());
}

interface Answer {
  readonly status: number;
  readonly data: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Asked {
  readonly request: IncomingMessage;
  readonly url: URL;
  readonly body: Body;
}

const said = (data: unknown, status = 200): Answer => ({ status, data });
const NOT_FOUND = said({ message: "Not Found" }, 404);

type HeadOf = (branch: string) => Promise<string | null>;

async function answerTo(github: SmallGitHub, headOf: HeadOf, asked: Asked): Promise<Answer> {
  const { url, request } = asked;
  if (request.headers.authorization === undefined) return said({ message: "Requires authentication" }, 401);
  if (github.limitedUntil > Date.now()) {
    github.knocks += 1;
    return limited(github.limitedUntil);
  }
  if (github.status !== null) return said({ message: "It is said so" }, github.status);
  if (url.pathname === "/api/graphql") return graphql(github, asked);
  const [, rest] = /^\/api\/v3\/repos\/ann\/garden(.*)$/.exec(url.pathname) ?? [];
  if (rest === undefined) return NOT_FOUND;
  if (rest === "") return said({ owner: { login: "ann" } });
  if (rest === "/pulls") return pullsAnswer(github, headOf, asked);
  const [, number, part = ""] = /^\/pulls\/(\d+)(\/.*)?$/.exec(rest) ?? [];
  const pull = github.pulls.find((each) => each.number === Number(number));
  if (number !== undefined && pull === undefined) return NOT_FOUND;
  if (pull !== undefined && part === "") return onePull(github, headOf, { ...asked, pull });
  if (pull !== undefined && part === "/merge") return mergeAnswer(github, headOf, { ...asked, pull });
  if (part === "/comments") return said(github.comments.map(lineComment));
  const [, sha] = /^\/commits\/([0-9a-f]+)\/check-runs$/.exec(rest) ?? [];
  if (sha !== undefined) {
    const runs = (github.checks.get(sha) ?? []).map(checkRun);
    return said({ total_count: runs.length, check_runs: runs });
  }
  const [, run] = /^\/check-runs\/(\d+)$/.exec(rest) ?? [];
  const found = [...github.checks.values()].flat().find(({ id }) => id === Number(run));
  return found === undefined ? said([]) : said(checkRun(found));
}

function limited(until: number): Answer {
  const reset = String(Math.ceil(until / 1000));
  const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset };
  return { status: 403, data: { message: "API rate limit exceeded" }, headers };
}

async function graphql(github: SmallGitHub, { body }: Asked): Promise<Answer> {
  const { query, variables } = body as unknown as { query: string; variables: { id?: string } };
  const pull = github.pulls.find(({ number }) => variables.id === `node ${number}`);
  if (pull !== undefined) {
    pull.draft = query.includes("convertPullRequestToDraft");
    await github.onChange();
  }
  const reviewThreads = { pageInfo: { hasNextPage: false, endCursor: null }, nodes: [] };
  return said({ data: { repository: { pullRequest: { reviewThreads } } } });
}

async function pullsAnswer(github: SmallGitHub, headOf: HeadOf, asked: Asked): Promise<Answer> {
  const { request, url, body } = asked;
  if (request.method === "GET") {
    const branch = (url.searchParams.get("head") ?? "").replace(/^ann:/, "");
    const found = github.pulls.filter(({ head }) => head === branch).toReversed();
    return said(await Promise.all(found.map((pull) => shown(pull, headOf))));
  }
  const { head, base, title, body: text, draft } = body as unknown as Pull;
  const refuse = (message: string) => said({ message: "Validation Failed", errors: [{ message }] }, 422);
  if ((await headOf(head)) === null) return refuse("head is invalid");
  if ((await headOf(base)) === null) return refuse("base is invalid");
  if (github.pulls.some((pull) => pull.head === head && pull.state === "open"))
    return refuse(`A pull request already exists for ann:${head}.`);
  const number = github.pulls.length + 1;
  const pull: Pull = { number, state: "open", merged: false, draft, title, body: text, head, base };
  github.pulls.push(pull);
  await github.onChange();
  return said(await shown(pull, headOf), 201);
}

async function onePull(
  github: SmallGitHub,
  headOf: HeadOf,
  { request, body, pull }: Asked & { readonly pull: Pull },
): Promise<Answer> {
  if (request.method === "PATCH") {
    Object.assign(pull, body);
    await github.onChange();
  }
  return said(await shown(pull, headOf));
}

async function mergeAnswer(
  github: SmallGitHub,
  headOf: HeadOf,
  { body, pull }: Asked & { readonly pull: Pull },
): Promise<Answer> {
  const { sha, merge_method } = body as unknown as { sha: string; merge_method: string };
  if (pull.state !== "open") return said({ message: "Pull Request is not mergeable" }, 405);
  if ((await headOf(pull.head)) !== sha) return said({ message: "Head branch was modified." }, 409);
  try {
    const commit = await github.merge(pull, merge_method);
    Object.assign(pull, { state: "closed", merged: true });
    await github.onChange();
    return said({ sha: commit, merged: true, message: "Pull Request successfully merged" });
  } catch (error) {
    return said({ message: (error as Error).message }, 405);
  }
}

async function shown({ number, head, base, merged, ...rest }: Pull, headOf: HeadOf) {
  return {
    ...rest,
    number,
    node_id: `node ${number}`,
    html_url: `https://github.example/ann/garden/pull/${number}`,
    head: { ref: head, sha: (await headOf(head)) ?? "0".repeat(40), repo: { owner: { login: "ann" } } },
    base: { ref: base },
    mergeable: true,
    mergeable_state: "clean",
    merged_at: merged ? "2026-01-01T00:00:00Z" : null,
    merge_commit_sha: merged ? await headOf(base) : null,
    user: { login: "ann" },
    updated_at: "2026-01-01T00:00:00Z",
  };
}

function checkRun({ id, name, conclusion, output }: CheckRun) {
  return {
    id,
    name,
    status: conclusion === null ? "in_progress" : "completed",
    conclusion,
    html_url: null,
    started_at: null,
    completed_at: null,
    output: { title: null, summary: output, text: null },
    app: { id: 1, slug: "ci" },
  };
}

function lineComment({ id, body, path, line, answers }: LineComment) {
  return {
    id,
    body,
    path,
    line,
    side: "RIGHT",
    user: { login: "bob" },
    html_url: `https://github.example/comment/${id}`,
    created_at: "2026-01-01T00:00:00Z",
    ...(answers === undefined ? {} : { in_reply_to_id: answers }),
  };
}
