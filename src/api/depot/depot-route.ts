/** Opens `/depot/` on a server: git of the workers comes there, each with the key of its own start (ADR 0092). */
import type { DepotServer } from "../../services/depot/serve-depot.ts";
import type { Connection } from "../http/api-options.ts";
import { createFailureLimit, TOO_MANY_FAILURES } from "../http/failure-limit.ts";
import { refuseForeign } from "../http/guards.ts";
import { problemResponse } from "../http/problem-response.ts";

interface DepotRoute {
  isFor(request: Request): boolean;
  fetch(request: Request, connection: Connection): Promise<Response>;
}

interface DepotRouteOptions {
  /** Null: this server serves no depot. */
  readonly depot: DepotServer | null;
  readonly allowedHosts: () => readonly string[];
  readonly now: () => number;
  readonly report: (error: unknown) => void;
}

export function createDepotRoute(options: DepotRouteOptions): DepotRoute {
  const failures = createFailureLimit(options);
  return {
    isFor: ({ url }) => options.depot !== null && new URL(url).pathname.startsWith("/depot/"),
    async fetch(request, connection) {
      const foreign = refuseForeign(request, options.allowedHosts());
      if (foreign !== null) return problemResponse(foreign);
      const { depot } = options;
      const login = loginOf(request);
      if (depot === null || login === null) return NEEDS_KEY();
      if (!(await depot.recognizes(login.worker, login.key)))
        return failures.isTooMany(connection.address) ? problemResponse(TOO_MANY_FAILURES) : NEEDS_KEY();
      // A first push takes a while, and git is silent while it counts.
      connection.keepOpen?.();
      try {
        return await answer(depot, request, login.worker);
      } catch (error) {
        options.report(error);
        return text(500, "Something went wrong inside Tazuna.");
      } finally {
        connection.letIdle?.();
      }
    },
  };
}

async function answer(depot: DepotServer, request: Request, worker: string): Promise<Response> {
  // As it was sent: `URL` has resolved dots and keeps escapes.
  const { pathname, search } = new URL(request.url);
  const { headers } = request;
  const answered = await depot.answer({
    ...{ method: request.method, path: pathname, query: search.slice(1), worker },
    contentType: headers.get("content-type") ?? "",
    contentEncoding: headers.get("content-encoding") ?? "",
    protocol: headers.get("git-protocol") ?? "",
    body: request.body as AsyncIterable<Uint8Array> | null,
  });
  if (answered.isErr()) return text(answered.error.status, answered.error.message);
  const { status, headers: told, body } = answered.value;
  return new Response(body, { status, headers: { ...told, ...CLOSED } });
}

/** `Authorization: Basic`: the worker's id and its key. */
function loginOf(request: Request): { readonly worker: string; readonly key: string } | null {
  const [, coded] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  const [, worker, key] = /^([0-9A-Za-z-]{1,64}):(.+)$/.exec(coded === undefined ? "" : atob(coded)) ?? [];
  return worker === undefined || key === undefined ? null : { worker, key };
}

/** No browser reads or keeps anything of it. */
const CLOSED = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

function text(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(`${message}\n`, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", ...CLOSED, ...headers },
  });
}

const NEEDS_KEY = () =>
  text(401, "A depot is for workers of this team, by the keys that they made at their start.", {
    "www-authenticate": 'Basic realm="tazuna depot"',
  });
