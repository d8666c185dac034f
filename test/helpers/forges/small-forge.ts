/** Serves the API of a small forge over HTTP: notes each request, plays troubles, and judges all by its description. */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Description, judgeBy } from "./described.ts";

/** What stories tell of every forge, in one language; each forge speaks its own over HTTP. */
export interface Pull {
  readonly number: number;
  state: "open" | "closed";
  merged: boolean;
  draft: boolean;
  /** Without the mark of a draft. */
  title: string;
  body: string | null;
  head: string;
  base: string;
}

export interface Check {
  readonly id: number;
  readonly name: string;
  readonly conclusion: "success" | "failure" | null;
  /** The end of its log, or what it says itself. */
  readonly output: string;
}

export interface LineComment {
  readonly id: number;
  readonly body: string;
  readonly path: string;
  readonly line: number;
}

export interface Said {
  readonly status: number;
  /** JSON, or plain text. */
  readonly data?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Trouble = Said | "hang" | "drop";

/** What a story may know and change. */
export interface ToldForge {
  /** Of its API. */
  readonly url: string;
  readonly pulls: Pull[];
  /** By commit. */
  readonly checks: Map<string, Check[]>;
  readonly comments: LineComment[];
  /** `METHOD PATH` of every request. */
  readonly requests: string[];
  /** Until when every request meets the limit; milliseconds since 1970. */
  limitedUntil: number;
  /** How long the limit lasts that the next request meets; milliseconds. */
  limitsNext: number | null;
  /** How many requests met it. */
  knocks: number;
  /** Answers every request with this status; null answers truly. */
  status: number | null;
  /** Runs after a change is made and before it is answered. */
  onChange: () => void | Promise<void>;
}

export interface SmallForge extends ToldForge, AsyncDisposable {
  /** What meets a request instead of a true answer; null lets it pass. */
  trouble: (asked: string) => Trouble | null;
  /** The same after the request was obeyed: its answer is lost. */
  lost: (asked: string) => Trouble | null;
  /** Why it does not merge, in its own words; null if it does. */
  protection: string | null;
  /** Paths under which the repository was known before. */
  readonly oldPaths: string[];
  /** The headers of the last request. */
  lastHeaders: Readonly<Record<string, string | string[] | undefined>>;
  /** How often it answered that nothing had changed. */
  unchanged: number;
}

/** Runs git in the bare repository of the forge, and throws if it fails. */
export type BareGit = (...args: readonly string[]) => Promise<string>;

export interface Asked {
  readonly method: string;
  /** Behind the address of the API. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Dialect {
  /** `/api/v4` and the like. */
  readonly prefix: string;
  readonly description: Description;
  /** Whether the header names a token. */
  readonly isLogin: (authorization: string) => boolean;
  readonly refusal: (status: number, words: string) => Said;
  readonly limit: (until: number) => Said;
  /** Whether it answers conditional requests. */
  readonly etags: boolean;
  readonly answer: (forge: SmallForge, asked: Asked) => Promise<Said>;
}

export async function startForge(dialect: Dialect): Promise<SmallForge> {
  const faults: string[] = [];
  const server = createServer((request, response) => {
    serve(forge, { dialect, faults, request, response }).catch((error: unknown) => {
      faults.push(String(error instanceof Error ? error.stack : error));
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const forge: SmallForge = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${dialect.prefix}`,
    pulls: [],
    checks: new Map(),
    comments: [],
    requests: [],
    limitedUntil: 0,
    limitsNext: null,
    knocks: 0,
    status: null,
    trouble: () => null,
    lost: () => null,
    protection: null,
    oldPaths: [],
    lastHeaders: {},
    unchanged: 0,
    onChange: () => {},
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      if (faults.length > 0) throw new Error(`A forge would not take or say this:\n${faults.join("\n")}`);
    },
  };
  return forge;
}

interface Serving {
  readonly dialect: Dialect;
  readonly faults: string[];
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function serve(forge: SmallForge, serving: Serving): Promise<void> {
  const { dialect, faults, request } = serving;
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  const sent = chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString());
  const url = new URL(request.url ?? "/", forge.url);
  const path = url.pathname.slice(dialect.prefix.length);
  const method = request.method ?? "GET";
  const asked = `${method} ${url.pathname}`;
  forge.requests.push(asked);
  forge.lastHeaders = request.headers;
  const early = earlyAnswer(forge, dialect, { asked, login: request.headers.authorization ?? "" });
  if (early !== null) return send(forge, serving, early);
  const said = await dialect.answer(forge, { method, path, query: url.searchParams, body: sent ?? {} });
  if (method !== "GET" && said.status < 300) await forge.onChange();
  const { status, data: answer } = said;
  faults.push(
    ...judgeBy(dialect.description)({ method, path, query: url.searchParams, sent, status, answer }),
  );
  send(forge, serving, forge.lost(asked) ?? said);
}

/** What is answered without looking at the request. */
function earlyAnswer(
  forge: SmallForge,
  { isLogin, refusal, limit }: Dialect,
  { asked, login }: { readonly asked: string; readonly login: string },
): Trouble | null {
  if (!isLogin(login)) return refusal(401, "Who are you");
  if (forge.limitsNext !== null)
    Object.assign(forge, { limitedUntil: Date.now() + forge.limitsNext, limitsNext: null });
  if (forge.limitedUntil > Date.now()) {
    forge.knocks += 1;
    return limit(forge.limitedUntil);
  }
  if (forge.status !== null) return refusal(forge.status, "It is said so");
  return forge.trouble(asked);
}

function send(forge: SmallForge, { dialect, request, response }: Serving, said: Trouble): void {
  if (response.destroyed || said === "hang") return;
  if (said === "drop") return void request.socket.destroy();
  const text = said.text ?? (said.data === undefined ? "" : JSON.stringify(said.data));
  const type = said.text === undefined ? "application/json" : "text/plain";
  const etag = `W/"${createHash("sha256").update(text).digest("hex").slice(0, 32)}"`;
  const tagged = dialect.etags && request.method === "GET" && said.status === 200;
  const isKnown = tagged && request.headers["if-none-match"] === etag;
  if (isKnown) forge.unchanged += 1;
  const headers = { "content-type": type, ...(tagged ? { etag } : {}), ...said.headers };
  response.writeHead(isKnown ? 304 : said.status, headers);
  response.end(isKnown ? undefined : text);
}

interface Paging {
  /** The parameter that asks for a size; the size without it, and the most that is given. */
  readonly size: string;
  readonly first: number;
  readonly most: number;
  /** The header that has the whole number. */
  readonly total: string;
  /** Whether the next page is named. */
  readonly links?: boolean;
}

/** One page of a list, with the headers that name the next one. */
export function pageOf(
  all: readonly unknown[],
  { query, path }: Asked,
  { size, first, most, total, links = true }: Paging,
): Said {
  const page = Number(query.get("page") ?? 1);
  const each = Math.min(Number(query.get(size) ?? first), most);
  const isLast = page * each >= all.length;
  // A forge behind a proxy names its own address.
  const next = `<https://forge.example${path}?page=${page + 1}>; rel="next"`;
  return {
    status: 200,
    data: all.slice((page - 1) * each, page * each),
    headers: { [total]: String(all.length), ...(isLast || !links ? {} : { link: next }) },
  };
}

/** The branches as they are while one request is answered. */
export interface Branches {
  readonly git: BareGit;
  /** The commit of a branch, or null. */
  readonly head: (branch: string) => string | null;
}

export async function branchesOf(git: BareGit): Promise<Branches> {
  const text = await git("for-each-ref", "--format=%(refname:lstrip=2) %(objectname)", "refs/heads");
  const lines = text.split("\n").filter((line) => line !== "");
  const heads = new Map(lines.map((line) => line.split(" ") as [string, string]));
  return { git, head: (branch) => heads.get(branch) ?? null };
}

/** Merges as forges do, in the bare repository; null if it conflicts. */
export async function mergeIn(
  { git }: Branches,
  { head, base }: Pull,
  { squash }: { readonly squash: boolean },
): Promise<string | null> {
  try {
    const tree = (await git("merge-tree", "--write-tree", base, head)).trim();
    const parents = ["-p", base, ...(squash ? [] : ["-p", head])];
    const commit = (await git("commit-tree", ...parents, "-m", `Merge ${head}`, tree)).trim();
    await git("update-ref", `refs/heads/${base}`, commit);
    return commit;
  } catch {
    return null;
  }
}
