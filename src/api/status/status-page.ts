/** Serves the status page: what every attempt is doing, live, for a browser that signed in. */
import type { Context, Hono } from "hono";
import { html } from "hono/html";
import { showListedTask } from "../documents/show-task.ts";
import type { ApiOptions } from "../http/api-options.ts";
import { callerOf } from "../http/guards.ts";
import { type Problem, problemResponse } from "../http/problem-response.ts";
import type { Env } from "../http/request-context.ts";
import type { BrowserSessions } from "../http/sign-in.ts";
import { STATUS_SCRIPT } from "./status-script.ts";
import { STATUS_STYLE } from "./status-style.ts";
import { tasksView } from "./tasks-view.ts";

const MAX_TASKS = 50;

export function addStatusPage(app: Hono<Env>, options: ApiOptions, sessions: BrowserSessions): void {
  app.get("/", async (c) => {
    const caller = await callerOf(c, options, sessions);
    return caller === null ? c.html(signedOutPage(), 401) : statusPage(c, options);
  });
  app.get("/sign-in", async (c) => {
    // A preview asks with HEAD, and a browser may load ahead: neither uses the link up.
    if (c.req.method !== "GET") return c.body(null, 204);
    if (isPrefetch(c.req.raw)) return c.body(null, 503, { "cache-control": "no-store" });
    const isRedeemed = await sessions.redeem(codeIn(c.req.query("code") ?? ""), c);
    const attempt = c.req.query("attempt");
    const target = attempt === undefined ? "/" : `/#attempt-${encodeURIComponent(attempt)}`;
    const isSignedIn = isRedeemed || (await sessions.holds(c));
    return isSignedIn ? c.redirect(target, 303) : c.html(usedLinkPage(), 401);
  });
  app.all("/sign-in", () => {
    const refused = problemResponse(ONLY_GET);
    refused.headers.set("allow", "GET, HEAD");
    return refused;
  });
  app.get("/assets/status.js", (c) =>
    c.body(STATUS_SCRIPT, 200, { "content-type": "text/javascript; charset=utf-8" }),
  );
  app.get("/assets/status.css", (c) =>
    c.body(STATUS_STYLE, 200, { "content-type": "text/css; charset=utf-8" }),
  );
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

function isPrefetch({ headers }: Request): boolean {
  return ["sec-purpose", "purpose", "x-purpose", "x-moz"].some((name) =>
    /prefetch|prerender|preview/i.test(headers.get(name) ?? ""),
  );
}

async function statusPage(c: Context<Env>, { services, now, version }: ApiOptions): Promise<Response> {
  const page = await services.tasks({
    all: true,
    repository: null,
    failed: false,
    cursor: null,
    limit: MAX_TASKS,
  });
  const main = page.match(
    ({ items, next }) => tasksView({ tasks: items.map(showListedTask), more: next !== null, now: now() }),
    (refusal) =>
      html`<p class="failure" role="alert"><strong>${refusal.message}</strong> ${refusal.remedy}</p>`,
  );
  return c.html(layout({ version, live: true, main }), page.isOk() ? 200 : 503);
}

type Html = ReturnType<typeof html>;

function signedOutPage(): Html {
  return layout({
    version: null,
    live: false,
    main: html`<h1>Sign in</h1>
      <p>This page is open to you only. In a terminal, run</p>
      <pre><code>tazuna open</code></pre>
      <p>and this browser is signed in.</p>`,
  });
}

function usedLinkPage(): Html {
  return layout({
    version: null,
    live: false,
    main: html`<h1>This link was used before, or is too old</h1>
      <p>Each link signs one browser in, once. For a fresh one, run</p>
      <pre><code>tazuna open</code></pre>`,
  });
}

function layout(page: {
  readonly version: string | null;
  readonly live: boolean;
  readonly main: Html;
}): Html {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Tazuna</title>
    <link rel="stylesheet" href="/assets/status.css">
    ${page.live ? html`<script type="module" src="/assets/status.js"></script>` : ""}
  </head>
  <body>
    <a class="skip" href="#main">To the attempts</a>
    <header>
      <span class="name">Tazuna</span>
      ${page.version === null ? "" : html`<span class="fine">${page.version}</span>`}
      ${page.live ? html`<span id="connection" class="fine" role="status">As of page load</span>` : ""}
    </header>
    <main id="main" tabindex="-1">${page.main}</main>
  </body>
</html>`;
}
