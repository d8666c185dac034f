/** Turns a request of a trusted proxy into the one that the browser made; refuses everybody else (ADR 0070). */
import { isIP } from "node:net";
import type { Connection } from "../../api/http/api-options.ts";
import { NOT_OVER_HTTPS, NOT_THROUGH_PROXY } from "../../api/http/guards.ts";
import { problemResponse } from "../../api/http/problem-response.ts";
import { type Networks, plainAddress } from "./networks.ts";

type AnswerRequest = (request: Request, connection: Connection) => Promise<Response>;

/** Only the trusted proxy's own words about host, scheme and client are believed, and nobody else is answered. */
export function behindProxy(proxies: Networks, answer: AnswerRequest): AnswerRequest {
  return async (request, connection) => {
    const { address } = connection;
    if (address === undefined || !proxies.has(address)) return problemResponse(NOT_THROUGH_PROXY);
    const { headers } = request;
    if (lastOf(headers, "x-forwarded-proto")?.toLowerCase() !== "https")
      return problemResponse(NOT_OVER_HTTPS);
    const host = lastOf(headers, "x-forwarded-host") ?? headers.get("host") ?? "";
    const { pathname, search } = new URL(request.url);
    const url = `https://${host}${pathname}${search}`;
    if (!/^[^/?#@\\\s]+$/.test(host) || !URL.canParse(url)) return new Response(null, { status: 400 });
    return answer(asBrowserSent(request, { url, host }), {
      ...connection,
      address: clientOf(address, headers.get("x-forwarded-for"), proxies),
    });
  };
}

function asBrowserSent(request: Request, { url, host }: { readonly url: string; readonly host: string }) {
  const headers = new Headers(request.headers);
  for (const name of ["x-forwarded-proto", "x-forwarded-host", "x-forwarded-for", "forwarded"])
    headers.delete(name);
  headers.set("host", host);
  const { method, body, signal } = request;
  return new Request(url, { method, headers, body, signal });
}

/** A proxy adds to the end; what stands before that, a client may have made up. */
function lastOf(headers: Headers, name: string): string | undefined {
  return headers.get(name)?.split(",").at(-1)?.trim();
}

/** The last address that is not a proxy of ours. */
function clientOf(peer: string, forwardedFor: string | null, proxies: Networks): string {
  let client = plainAddress(peer);
  for (const word of (forwardedFor ?? "").split(",").toReversed()) {
    if (!proxies.has(client)) break;
    const address = /^\s*(?:\[([^\]]+)\](?::\d+)?|([\d.]+)(?::\d+)?|(\S+))\s*$/.exec(word);
    const next = plainAddress(address?.[1] ?? address?.[2] ?? address?.[3] ?? "");
    if (isIP(next) === 0) break;
    client = next;
  }
  return client;
}
