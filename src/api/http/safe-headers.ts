/** Gives every response headers that restrict what browsers may do with it. */
import type { MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";

/** Pages run our own script and style files only, talk to this server only, and may not be framed. */
const restrict = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    // The diff view and its highlighter write styles into their own shadow trees.
    styleSrc: ["'self'", "'unsafe-inline'"],
    fontSrc: ["'self'"],
    imgSrc: ["'self'", "data:"],
    workerSrc: ["'self'"],
    manifestSrc: ["'self'"],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
  xFrameOptions: "DENY",
  // The server speaks plain HTTP on this machine alone, and browsers ignore the header there.
  strictTransportSecurity: false,
});

/** Answers hold code and tokens, so no cache may keep them. The files of the web UI say otherwise themselves. */
const keepNoCopy: MiddlewareHandler = async (c, next) => {
  await next();
  if (!c.res.headers.has("cache-control")) c.res.headers.set("cache-control", "no-store");
};

/** To be used before everything else, since a refusal needs the headers too. */
export const SAFE_HEADERS = [restrict, keepNoCopy] as const;
