/** Serves bare repositories over smart HTTP with `git http-backend`, as a forge would: with authentication, refusals and silence. */
import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type LfsStore, lfsStore } from "./lfs-store.ts";

export interface GitHttpServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT/NAME` for a bare repository called NAME below `root`, without credentials. */
  url(name: string): string;
  /** The same with user and password in it. */
  urlWithPassword(name: string): string;
  /** Every request so far, with the status that was answered (0 while it hangs). */
  readonly requests: readonly Request[];
  /** Objects of Git LFS that were pushed to it. */
  readonly lfs: LfsStore["objects"];
  /** What git-lfs said that they are for, once for each batch. */
  readonly lfsRefs: LfsStore["refs"];
  /** Changes how the server behaves from the next request on. */
  behave(changes: Partial<Behaviour>): void;
  /** Answers the requests that hang, as it behaves now. */
  release(): void;
}

interface Request {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** `user:password` that came with it; null if none came. */
  readonly login: string | null;
  /** Every header as it came, for what else may carry a secret. */
  readonly headers: string;
  status: number;
}

export interface Behaviour {
  /** Basic authentication that every request needs; null lets everyone in. */
  readonly password: { readonly user: string; readonly password: string } | null;
  /** Answers pushes with this status instead of asking git (403: not allowed). */
  readonly refusePushes: number | null;
  /** Sends every request to the same path below this address, with status 302. */
  readonly redirectTo: string | null;
  /** The same, of requests that carry a login. */
  readonly redirectAfterLogin: string | null;
  /** What a refusal says in its body. */
  readonly words: string;
  /** Never answers. */
  readonly hang: boolean;
  /** What becomes of a request whose path and query match; null if all are answered. */
  readonly breaks: { readonly at: RegExp; readonly how: Breakage } | null;
}

/** The connection is closed, the server answers with an error, or it stops in the middle of its answer. */
export type Breakage = "drop" | "fault" | "stall";

/** A server for the bare repositories below `root`, on a free port of the loopback address. */
export async function gitHttpServer(root: string, initial: Partial<Behaviour> = {}): Promise<GitHttpServer> {
  let behaviour: Behaviour = { ...HARMLESS, ...initial };
  const requests: Request[] = [];
  const lfs = lfsStore();
  const hanging: (() => void)[] = [];
  const server = createServer((request, response) => {
    const entry = entryOf(request);
    requests.push(entry);
    const reply = () => replyTo(root, { request, response, entry, behaviour, lfs });
    if (behaviour.hang) hanging.push(() => void (request.socket.destroyed || reply()));
    else reply();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: (name) => `http://${host}/${name}`,
    urlWithPassword: (name) =>
      `http://${behaviour.password?.user ?? "u"}:${behaviour.password?.password ?? "p"}@${host}/${name}`,
    requests,
    lfs: lfs.objects,
    lfsRefs: lfs.refs,
    behave: (changes) => {
      behaviour = { ...behaviour, ...changes };
    },
    release: () => {
      for (const reply of hanging.splice(0)) reply();
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function replyTo(
  root: string,
  exchange: {
    readonly request: IncomingMessage;
    readonly response: ServerResponse;
    readonly entry: Request;
    readonly behaviour: Behaviour;
    readonly lfs: LfsStore;
  },
): void {
  const { request, response, entry, behaviour, lfs } = exchange;
  response.on("close", () => {
    entry.status = response.statusCode;
  });
  const elsewhere = (entry.login && behaviour.redirectAfterLogin) || behaviour.redirectTo;
  if (elsewhere !== null)
    return void response.writeHead(302, { Location: `${elsewhere}${request.url}` }).end();
  const broken = behaviour.breaks?.at.test(entry.path) ? behaviour.breaks.how : null;
  if (broken === "drop") return void request.socket.destroy();
  if (broken === "fault") return void response.writeHead(500).end("a fault\n");
  const refused = refusal(request, behaviour);
  if (refused === null && lfs.answer(request, response, `http://${request.headers.host}`)) return;
  if (refused === null)
    return void gitAnswer(request, response, { root, user: "scratch", stalls: broken === "stall" });
  const headers = { "WWW-Authenticate": 'Basic realm="scratch"', "Content-Type": "text/plain" };
  response.writeHead(refused, headers).end(`${behaviour.words}\n`);
}

const HARMLESS: Behaviour = {
  password: null,
  refusePushes: null,
  redirectTo: null,
  redirectAfterLogin: null,
  words: "refused",
  hang: false,
  breaks: null,
};

function entryOf(request: IncomingMessage): Request {
  const [, basic] = /^Basic (.*)$/.exec(request.headers.authorization ?? "") ?? [];
  return {
    method: request.method ?? "",
    path: request.url ?? "",
    login: basic === undefined ? null : Buffer.from(basic, "base64").toString(),
    headers: request.rawHeaders.join("\n"),
    status: 0,
  };
}

/** The status of a request that git is not asked about, or null. */
function refusal(request: IncomingMessage, { password, refusePushes }: Behaviour): number | null {
  if (password !== null) {
    const wanted = `Basic ${Buffer.from(`${password.user}:${password.password}`).toString("base64")}`;
    if (request.headers.authorization !== wanted) return 401;
  }
  return refusePushes !== null && (request.url ?? "").includes("git-receive-pack") ? refusePushes : null;
}

/** One request as a CGI call of `git http-backend`, on the bare repositories below `root`. Hooks see `user`. */
export async function gitAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { root, user, stalls = false }: { readonly root: string; readonly user: string; readonly stalls?: boolean },
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://localhost");
  const body = await readAll(request);
  const backend = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env.PATH ?? "",
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_COUNT: "2",
      GIT_CONFIG_KEY_0: "http.receivepack",
      GIT_CONFIG_VALUE_0: "true",
      GIT_CONFIG_KEY_1: "safe.directory",
      GIT_CONFIG_VALUE_1: "*",
      HOME: root,
      REQUEST_METHOD: request.method ?? "GET",
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      CONTENT_LENGTH: String(body.length),
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
      REMOTE_USER: user,
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  backend.stdin.on("error", () => {});
  backend.stdin.end(body);
  const output = await readAll(backend.stdout);
  const end = output.indexOf("\r\n\r\n");
  const headers = output.subarray(0, end).toString().split("\r\n");
  let status = 200;
  for (const line of headers) {
    const [name = "", value = ""] = line.split(/:\s*/, 2);
    if (name.toLowerCase() === "status") status = Number.parseInt(value, 10);
    else if (name !== "") response.setHeader(name, value);
  }
  const content = output.subarray(end + 4);
  response.writeHead(status);
  if (stalls) response.write(content.subarray(0, content.length / 2));
  else response.end(content);
}

async function readAll(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
