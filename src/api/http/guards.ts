/** Refuses callers without access: foreign hosts, foreign pages, callers without a token. */
import type { Context } from "hono";
import type { Services } from "../../services/core/services.ts";
import type { ApiOptions, Caller, KnownCaller } from "./api-options.ts";
import type { Problem } from "./problem-response.ts";
import type { SignedInBrowsers } from "./sign-in.ts";

/**
 * Refuses a `Host` that is not ours (DNS rebinding) and any page of another origin. Cookies treat pages of other
 * ports on this machine as "same site", so the origin decides.
 */
export function refuseForeign(request: Request, allowedHosts: readonly string[]): Problem | null {
  const url = new URL(request.url);
  const host = (request.headers.get("host") ?? url.host).toLowerCase();
  if (!allowedHosts.some((allowed) => allowed.toLowerCase() === host))
    return {
      kind: "forbidden",
      code: "host_not_allowed",
      message: "This server does not answer for that host name.",
      remedy: "Use the address that `tazuna serve` printed.",
    };
  const origin = request.headers.get("origin");
  const site = request.headers.get("sec-fetch-site");
  const foreignOrigin = origin !== null && origin.toLowerCase() !== `${url.protocol}//${host}`;
  const foreignSite = isApi(url) && site !== null && site !== "same-origin" && site !== "none";
  if (foreignOrigin || foreignSite)
    return {
      kind: "forbidden",
      code: "origin_not_allowed",
      message: "Pages of other origins may not talk to this server.",
      remedy: "Call it from its own page, or from a program with the bearer token.",
    };
  return null;
}

/** Null if the caller is unknown. */
export async function callerOf(
  c: Context,
  options: Pick<ApiOptions, "token" | "sameToken"> & {
    readonly services: Pick<Services, "recognizeToken">;
  },
  browsers: SignedInBrowsers,
): Promise<KnownCaller | null> {
  const bearer = bearerOf(c);
  if (bearer !== null) {
    if (options.sameToken(bearer, options.token)) return { caller: "program" };
    const access = await options.services.recognizeToken(bearer);
    return access === null ? null : { caller: "program", access };
  }
  const browser = await browsers.holder(c);
  if (browser === null) return null;
  const { id, access } = browser;
  return { caller: "browser", browser: id, ...(access === null ? {} : { access }) };
}

/** What the caller gives as its token, perhaps in a wrong form; null if it gives none. */
function bearerOf(c: Context): string | null {
  const authorization = c.req.header("authorization");
  return authorization === undefined ? null : (/^Bearer (.+)$/i.exec(authorization)?.[1] ?? "");
}

/** Refuses a browser's write without an origin; browsers always send one. */
export function refuseUnsaidOrigin(request: Request, caller: Caller): Problem | null {
  if (caller === "program" || request.headers.has("origin")) return null;
  return {
    kind: "forbidden",
    code: "origin_missing",
    message: "A signed-in browser has to send its origin with every change.",
    remedy: "Call it from its own page, or from a program with the bearer token.",
  };
}

export const UNAUTHORIZED: Problem = {
  kind: "unauthorized",
  code: "token_required",
  message: "A bearer token or a signed-in browser is needed.",
  remedy:
    "`tazuna open` signs a browser in, and `tazuna token add` makes a token for a program. On this machine `server.json` in the data folder holds one.",
};

export const NOT_THROUGH_PROXY: Problem = {
  kind: "forbidden",
  code: "not_through_proxy",
  message: "This server answers the proxies that it trusts, and nobody else.",
  remedy:
    "Use the address that `tazuna serve` printed; if the proxy was refused, name its network in `--trust-proxy`.",
};

export const NOT_OVER_HTTPS: Problem = {
  kind: "forbidden",
  code: "not_over_https",
  message: "The proxy does not say that the browser came over https.",
  remedy:
    "Have the proxy set `X-Forwarded-Proto` to the scheme of the browser's request, and use an https address.",
};

function isApi(url: URL): boolean {
  return url.pathname.startsWith("/api/");
}
