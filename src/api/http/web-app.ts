/** Serves the built web UI: a fixed table of files, and its one page for every address of a screen. */
import type { Context, Hono } from "hono";
import type { WebFile, WebFiles } from "./api-options.ts";
import type { Env } from "./request-context.ts";

const PAGE = "/index.html";
/** The first parts of the screens' addresses. */
const SCREENS: ReadonlySet<string> = new Set(["tasks", "attempts", "activity", "storage", "settings"]);

/**
 * To be added last. Only names of the table are answered, so no address leads to another file. A person who types an
 * address that is no screen gets the page, which says so. `null`: the web UI was not built.
 */
export function addWebApp(app: Hono<Env>, files: WebFiles | null): void {
  app.get("*", async (c, next) => {
    const { path } = c.req;
    const file = files?.get(path === "/" ? PAGE : path);
    if (file !== undefined) return send(c, file, { isPage: path === "/" || path === PAGE, status: 200 });
    const [, first = ""] = path.split("/");
    const isScreen = path === "/" || SCREENS.has(first);
    const isTyped = first !== "api" && /\btext\/html\b/.test(c.req.header("accept") ?? "");
    if (!isScreen && !isTyped) return next();
    const page = files?.get(PAGE);
    if (page === undefined) return c.html(NOT_BUILT, 503);
    return send(c, page, { isPage: true, status: isScreen ? 200 : 404 });
  });
}

/** The names of the assets change with their content, so a browser may keep them. The page is asked for each time. */
function send(
  c: Context<Env>,
  file: WebFile,
  { isPage, status }: { readonly isPage: boolean; readonly status: 200 | 404 },
): Response {
  const isKept = !isPage && c.req.path.startsWith("/assets/");
  // Browsers take Brotli over TLS and from this machine, and the server answers nowhere else.
  const takesBrotli = /\bbr\b/.test(c.req.header("accept-encoding") ?? "");
  const brotli = takesBrotli ? file.brotli : null;
  return c.body(brotli ?? file.bytes, status, {
    "content-type": file.type,
    "cache-control": isKept ? "public, max-age=31536000, immutable" : "no-cache",
    vary: "accept-encoding",
    ...(brotli === null ? {} : { "content-encoding": "br" }),
  });
}

const NOT_BUILT = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Tazuna</title>
<h1>The web UI is not built</h1>
<p>In the checkout, <code>npm start</code> builds it and opens it. The command line works without it.</p></html>
`;
