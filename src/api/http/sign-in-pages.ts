/** Opens a sign-in link, and says what to do if it does not work any more. */
import type { Hono } from "hono";
import { html } from "hono/html";
import type { FailureLimit } from "./failure-limit.ts";
import { plainPage } from "./plain-page.ts";
import { type Problem, problemResponse } from "./problem-response.ts";
import type { Env } from "./request-context.ts";
import type { SignedInBrowsers } from "./sign-in.ts";

export function addSignIn(
  app: Hono<Env>,
  { browsers, failures }: { readonly browsers: SignedInBrowsers; readonly failures: FailureLimit },
): void {
  app.get("/sign-in", async (c) => {
    // A preview asks with HEAD, and a browser may load ahead: neither uses the link up.
    if (c.req.method !== "GET") return c.body(null, 204);
    if (isPrefetch(c.req.raw)) return c.body(null, 503, { "cache-control": "no-store" });
    const isRedeemed = await browsers.redeem(codeIn(c.req.query("code") ?? ""), c);
    const attempt = c.req.query("attempt");
    const target = attempt === undefined ? "/" : `/attempts/${encodeURIComponent(attempt)}`;
    const isSignedIn = isRedeemed || (await browsers.holder(c)) !== null;
    if (isSignedIn) return c.redirect(target, 303);
    return c.html(USED_LINK, failures.isTooMany(c.env.address) ? 429 : 401);
  });
  app.all("/sign-in", () => {
    const refused = problemResponse(ONLY_GET);
    refused.headers.set("allow", "GET, HEAD");
    return refused;
  });
}

const ONLY_GET: Problem = {
  kind: "bad_request",
  status: 405,
  code: "method_not_allowed",
  message: "A sign-in link is opened with GET.",
  remedy: "Open the link in a browser.",
};

/** Removes what was copied along from the sentence around the link: a bracket, a full stop. */
function codeIn(copied: string): string {
  return /^[\w-]*/.exec(copied)?.[0] ?? "";
}

export function isPrefetch({ headers }: Request): boolean {
  return ["sec-purpose", "purpose", "x-purpose", "x-moz"].some((name) =>
    /prefetch|prerender|preview/i.test(headers.get(name) ?? ""),
  );
}

const USED_LINK = plainPage({
  title: "This link or code was used before, is too old, or was mistyped",
  body: html`<p>Each link signs one browser in, once. For a fresh one, run</p>
      <pre><code>tazuna open</code></pre>
      <p>or make one in Settings of a browser that is signed in. <a href="/">Type a code</a></p>`,
});
