/** Plays GitHub as far as a pull request needs it: git over HTTP and both APIs on one port, for one private repository. */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gitAnswer } from "../git-http-server.ts";
import { BAD_CREDENTIALS, NOT_FOUND, refusedWith, type Said } from "./answers.ts";
import { faultsOfAnswer, faultsOfRequest, operationOf } from "./description.ts";
import { type BareGit, type Garden, keepInStep, newGarden } from "./garden.ts";
import { graphqlAnswer } from "./graphql.ts";
import { answerOf, isWrite } from "./routes.ts";

export interface Login {
  readonly name: string;
  /** Whether it sees the repository. */
  readonly sees: boolean;
  /** Whether it may push, and change pull requests. */
  readonly pushes: boolean;
  readonly pulls: boolean;
}

export interface Trouble {
  /** `METHOD PATH` of the requests that meet it. */
  readonly on: RegExp;
  /** The answer; or none ever, or a connection that breaks. */
  readonly how: Said | "hang" | "drop";
  /** What was asked is done before the answer is lost. */
  readonly done?: boolean;
  /** How many requests meet it; all unless told. */
  times?: number;
}

export interface SmallGitHub extends AsyncDisposable, Garden {
  /** Of its API. */
  readonly url: string;
  /** Of git, for the repository as it was called first. */
  readonly gitUrl: string;
  /** By token. */
  readonly logins: Map<string, Login>;
  /** `METHOD PATH` of every request to its APIs. */
  readonly requests: string[];
  /** `LOGIN METHOD PATH BODY` of every request that changed something. */
  readonly changes: string[];
  /** What GitHub's own descriptions do not allow, in requests and in answers. */
  readonly faults: string[];
  /** How many answers said that nothing had changed. */
  unchanged: number;
  /** Until when every request meets the primary limit; milliseconds since 1970. */
  limitedUntil: number;
  /** How long the limit lasts that the next request meets; milliseconds. */
  limitsNext: number | null;
  /** How many requests met it. */
  knocks: number;
  /** How many requests are left of the primary limit. */
  remaining: number;
  trouble: Trouble | null;
  /** Answers every request with this status; null answers truly. */
  status: number | null;
  /** Runs after a change is made and before it is answered. */
  onChange: () => void | Promise<void>;
}

/** `git` runs in the repository, which lies below `root` as `ann/garden.git`. */
export async function smallGitHub(root: string, git: BareGit): Promise<SmallGitHub> {
  const server = createServer((request, response) => {
    serve(github, { root, git, request, response }).catch((error: unknown) => {
      github.faults.push(String(error));
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const place = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const github: SmallGitHub = {
    ...newGarden(),
    url: `${place}/api/v3`,
    gitUrl: `${place}/ann/garden.git`,
    logins: new Map(),
    requests: [],
    changes: [],
    faults: [],
    unchanged: 0,
    limitedUntil: 0,
    limitsNext: null,
    knocks: 0,
    remaining: 5000,
    trouble: null,
    status: null,
    onChange: () => {},
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      if (github.faults.length > 0)
        throw new Error(`GitHub would not take or say this:\n${[...new Set(github.faults)].join("\n")}`);
    },
  };
  return github;
}

interface Exchange {
  readonly root: string;
  readonly git: BareGit;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function serve(github: SmallGitHub, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const url = new URL(request.url ?? "/", github.url);
  if (url.pathname.startsWith("/logs/")) return log(github, exchange, url);
  if (!url.pathname.startsWith("/api/")) return serveGit(github, exchange, url);
  const body = await jsonOf(request);
  const asked = `${request.method} ${url.pathname}`;
  github.requests.push(asked);
  const trouble = troubleOf(github, asked);
  if (trouble === null || trouble.done === true) {
    const answer = await answerTo(github, exchange, { url, body });
    if (trouble === null) return send(github, exchange, answer);
  }
  if (trouble.how === "hang") return;
  if (trouble.how === "drop") return void request.socket.destroy();
  send(github, exchange, trouble.how);
  response.end();
}

function troubleOf(github: SmallGitHub, asked: string): Trouble | null {
  const { trouble, status } = github;
  if (status !== null) return { on: /./, how: refusedWith(status, "It is said so") };
  if (trouble === null || !trouble.on.test(asked) || trouble.times === 0) return null;
  if (trouble.times !== undefined) trouble.times -= 1;
  return trouble;
}

interface Call {
  readonly url: URL;
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

async function answerTo(github: SmallGitHub, { git, request }: Exchange, call: Call): Promise<Said> {
  const { url, body } = call;
  if (!request.headers["user-agent"]) return refusedWith(403, "Request forbidden by administrative rules.");
  const token = /^(?:Bearer|token) (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  const login = token === undefined ? null : (github.logins.get(token) ?? null);
  if (token !== undefined && login === null) return BAD_CREDENTIALS;
  if (github.limitsNext !== null)
    Object.assign(github, { limitedUntil: Date.now() + github.limitsNext, limitsNext: null });
  if (github.limitedUntil > Date.now()) {
    github.knocks += 1;
    return refusedWith(403, `API rate limit exceeded for user ID 1.`);
  }
  github.remaining -= 1;
  const isGraphql = url.pathname === "/api/graphql";
  // Whoever may not see a private repository is not told that there is one.
  if (login === null || !login.sees) return isGraphql && login === null ? BAD_CREDENTIALS : NOT_FOUND;
  await keepInStep(github, git);
  if (isGraphql) {
    const { said, faults } = await graphqlAnswer(github, { body, writes: login.pulls });
    github.faults.push(...faults);
    if (String(body?.query).startsWith("mutation")) await changed(github, login, { request, call });
    return said;
  }
  const path = url.pathname.slice("/api/v3".length);
  const moved = movedTo(github, path, request.method ?? "");
  if (moved !== null) return moved;
  return restAnswer(github, { git, request, login }, { path, call });
}

async function restAnswer(
  github: SmallGitHub,
  { git, request, login }: Pick<Exchange, "git" | "request"> & { readonly login: Login },
  { path, call }: { readonly path: string; readonly call: Call },
): Promise<Said> {
  const named = path.replace(/^\/repositories\/1(?=\/|$)/, `/repos/${github.name}`);
  if (!`${named}/`.startsWith(`/repos/${github.name}/`)) return NOT_FOUND;
  const operation = operationOf(request.method ?? "", named);
  if (operation === null) {
    github.faults.push(`no operation is described for ${request.method} ${path}`);
    return NOT_FOUND;
  }
  const query = call.url.searchParams;
  const faults = faultsOfRequest(operation, { query, body: call.body });
  github.faults.push(...faults.map((fault) => `${operation.id}: ${fault}`));
  if (faults.length > 0) return refusedWith(422, faults.join("; "));
  const { url } = github;
  const writer = { name: login.name, writes: login.pulls };
  const said = await answerOf({
    garden: github,
    git,
    operation,
    query,
    body: call.body ?? {},
    login: writer,
    url,
  });
  github.faults.push(
    ...faultsOfAnswer(operation, { status: said.status, data: said.data }).map(
      (fault) => `${operation.id}: ${fault}`,
    ),
  );
  if (isWrite(operation) && said.status < 300) await changed(github, login, { request, call });
  return said;
}

async function changed(
  github: SmallGitHub,
  login: Login,
  { request, call }: { readonly request: IncomingMessage; readonly call: Call },
): Promise<void> {
  github.changes.push(
    `${login.name} ${request.method} ${call.url.pathname} ${JSON.stringify(call.body ?? {})}`,
  );
  await github.onChange();
}

/** A repository that was renamed is found by its number. */
function movedTo(github: SmallGitHub, path: string, method: string): Said | null {
  const old = github.oldNames.find((name) => `${path}/`.startsWith(`/repos/${name}/`));
  if (old === undefined) return null;
  const location = `${github.url}/repositories/1${path.slice(`/repos/${old}`.length)}`;
  const status = method === "GET" ? 301 : 307;
  const data = { message: status === 301 ? "Moved Permanently" : "Temporary Redirect", url: location };
  return { status, data, headers: { location } };
}

function send(github: SmallGitHub, { request, response }: Exchange, said: Said): void {
  if (response.destroyed) return;
  const text = said.text ?? (said.data === undefined ? "" : JSON.stringify(said.data));
  const etag = `W/"${createHash("sha256").update(text).digest("hex").slice(0, 32)}"`;
  const reads = request.method === "GET" && said.status === 200;
  const isKnown = reads && request.headers["if-none-match"] === etag;
  // What has not changed costs nothing.
  if (isKnown) Object.assign(github, { unchanged: github.unchanged + 1, remaining: github.remaining + 1 });
  response.writeHead(isKnown ? 304 : said.status, {
    "content-type": "application/json; charset=utf-8",
    "x-github-request-id": "0000:0000",
    ...limits(github),
    ...(reads ? { etag } : {}),
    ...said.headers,
  });
  response.end(isKnown ? undefined : text);
}

function limits({ limitedUntil, remaining }: SmallGitHub): Readonly<Record<string, string>> {
  const isLimited = limitedUntil > Date.now();
  const reset = isLimited ? limitedUntil : Date.now() + 3_600_000;
  return {
    "x-ratelimit-limit": "5000",
    "x-ratelimit-remaining": String(isLimited ? 0 : Math.max(remaining, 0)),
    "x-ratelimit-used": String(5000 - Math.max(remaining, 0)),
    "x-ratelimit-reset": String(Math.ceil(reset / 1000)),
    "x-ratelimit-resource": "core",
  };
}

/** The logs lie with another host. */
function log(github: SmallGitHub, { request, response }: Exchange, url: URL): void {
  if (request.headers.authorization !== undefined) github.faults.push("another host was given the token");
  const id = Number(url.pathname.slice("/logs/".length));
  const run = [...github.checks.values()].flat().find((one) => one.id === id);
  response.writeHead(200, { "content-type": "text/plain" }).end(run?.log ?? "");
}

/** The same tokens as for the API, as passwords. */
async function serveGit(
  github: SmallGitHub,
  { root, git, request, response }: Exchange,
  url: URL,
): Promise<void> {
  const [, basic = ""] = /^Basic (.+)$/.exec(request.headers.authorization ?? "") ?? [];
  const login = github.logins.get(Buffer.from(basic, "base64").toString().split(":").at(-1) ?? "");
  const refuse = (status: number, words: string) =>
    void response
      .writeHead(status, { "www-authenticate": 'Basic realm="GitHub"', "content-type": "text/plain" })
      .end(words);
  if (login === undefined) return refuse(401, "Bad credentials\n");
  if (!login.sees) return refuse(404, "Repository not found.\n");
  const isPush = url.pathname.endsWith("/git-receive-pack") || url.search.includes("git-receive-pack");
  if (isPush && !login.pushes)
    return refuse(403, `Permission to ${github.name}.git denied to ${login.name}.\n`);
  // A login is served under an old name too; on the disk it is called as it was first.
  const named = [github.name, ...github.oldNames].find((name) => url.pathname.startsWith(`/${name}.git/`));
  if (named === undefined) return refuse(404, "Repository not found.\n");
  // What an earlier push did is done before the next one, however soon that comes.
  if (isPush) await keepInStep(github, git);
  request.url = `${url.pathname.replace(`/${named}.git`, "/ann/garden.git")}${url.search}`;
  await gitAnswer(request, response, { root, user: login.name });
}

async function jsonOf(request: IncomingMessage): Promise<Call["body"]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  return chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString());
}
