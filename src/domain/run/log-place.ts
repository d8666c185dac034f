/** Describes a place in object storage for old logs, as `serve --logs` names it (ADR 0103). */
import { err, ok, type Result } from "neverthrow";

export interface LogPlace {
  readonly bucket: string;
  /** Stands before each name; empty or with a slash at its end. */
  readonly prefix: string;
  /** The address of the server, without a slash at its end; null for Amazon's own. */
  readonly endpoint: string | null;
  readonly region: string | null;
}

/** What lets into it. They stand in an environment alone, and reach no agent and no git. */
export interface ObjectKeys {
  readonly id: string;
  readonly secret: string;
}

interface PlaceError {
  readonly message: string;
  readonly remedy: string;
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^(?:[\w.-]+\/)*$/;
const REGION = /^[a-z0-9-]{1,40}$/;
const PARTS: ReadonlySet<string> = new Set(["endpoint", "region"]);

/** Reads `s3://BUCKET[/PREFIX][?endpoint=URL&region=NAME]`. No secret may stand in it, since it is stored. */
export function readLogPlace(text: string): Result<LogPlace, PlaceError> {
  if (!text.startsWith("s3://") || !URL.canParse(text))
    return err(refused(`${shown(text)} is no such place.`));
  const url = new URL(text);
  const place = {
    bucket: url.host,
    prefix: url.pathname.replace(/^\/+/, "").replace(/([^/])\/*$/, "$1/"),
    endpoint: url.searchParams.get("endpoint")?.replace(/\/+$/, "") || null,
    region: url.searchParams.get("region") || null,
  };
  const wrong = wrongPart(url, place);
  return wrong === null ? ok(place) : err(refused(wrong));
}

function wrongPart(url: URL, { bucket, prefix, endpoint, region }: LogPlace): string | null {
  if (url.username !== "" || url.password !== "") return "No key may stand in it, since it is stored.";
  if (url.hash !== "" || [...url.searchParams.keys()].some((name) => !PARTS.has(name)))
    return "After the question mark stand only `endpoint` and `region`.";
  if (!BUCKET.test(bucket)) return `"${bucket}" is no name of a bucket.`;
  if (!PREFIX.test(prefix) || prefix.split("/").includes("..")) return `"${prefix}" is no prefix.`;
  if (region !== null && !REGION.test(region)) return `"${region}" is no region.`;
  return endpoint === null || isSafeEndpoint(endpoint)
    ? null
    : "The endpoint has to be an https address without a path and a password. Plain http is for this machine alone.";
}

/** Logs tell much, and plain http shows them to the network. */
function isSafeEndpoint(endpoint: string): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname, pathname, username, password, search, hash } = new URL(endpoint);
  const isBare = pathname === "/" && [username, password, search, hash].every((part) => part === "");
  const isHere = hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
  return isBare && (protocol === "https:" || (protocol === "http:" && isHere));
}

/** Without what may be a password. */
function shown(text: string): string {
  return `"${text.replace(/\/\/[^/@]*@/, "//")}"`;
}

function refused(message: string): PlaceError {
  return {
    message,
    remedy:
      "Name it as `s3://BUCKET/PREFIX`, with `?endpoint=https://HOST` for another server than Amazon's.",
  };
}

/** One text for one place, which `readLogPlace` reads again. */
export function logPlaceText({ bucket, prefix, endpoint, region }: LogPlace): string {
  const rest = Object.entries({ endpoint, region }).flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return `s3://${bucket}/${prefix}${rest.length === 0 ? "" : `?${rest.join("&")}`}`;
}
