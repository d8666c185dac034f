/** Reads the first lines that a program sends to the proxy: where it wants to go, and what is to be said there. */
import { type NetworkPlace, networkPlace } from "../../domain/network/host-rules.ts";

export type ProxyRequest =
  /** A tunnel: what comes behind the lines goes there as it is. */
  | { readonly kind: "tunnel"; readonly place: NetworkPlace }
  /** Plain http: `head` are the lines for the place itself. */
  | { readonly kind: "forward"; readonly place: NetworkPlace; readonly head: string }
  | { readonly kind: "broken" };

const BROKEN: ProxyRequest = { kind: "broken" };

/** A method, a target without blanks, a version; then names and values. No line goes on in the next one, none holds a control character. */
const FIRST_LINE = /^([A-Z]{1,20}) ([\x21-\x7e\x80-\xff]{1,8000}) HTTP\/1\.[01]$/;
const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/;

/** `head` are the lines up to the empty one, without it, each character a byte. */
export function readRequest(head: string): ProxyRequest {
  const [first = "", ...rest] = head.split("\r\n");
  const [, method, target = ""] = FIRST_LINE.exec(first) ?? [];
  const fields = rest.map((line) => FIELD.exec(line));
  if (method === undefined || fields.includes(null)) return BROKEN;
  if (method === "CONNECT") return tunnel(target);
  const pairs = fields.flatMap((field) =>
    field === null ? [] : [[field[1] ?? "", field[2] ?? ""] as const],
  );
  return forward(method, target, pairs);
}

function tunnel(target: string): ProxyRequest {
  const place = networkPlace(target);
  if (place === null || place.port === null) return BROKEN;
  return { kind: "tunnel", place: { host: place.host, port: place.port } };
}

type Field = readonly [string, string];

/** Of the connection to us, or said anew. */
const DROPPED = new Set([
  "connection",
  "host",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "upgrade",
]);

/** What is asked for stands in the target alone: another host in the field of that name means nothing. */
function forward(method: string, target: string, fields: readonly Field[]): ProxyRequest {
  const [, authority = "", path = ""] = /^http:\/\/([^/?#@\\]+)([/?][^#]*)?$/i.exec(target) ?? [];
  const place = networkPlace(authority);
  if (place === null || hasTwoLengths(fields)) return BROKEN;
  const kept = fields.filter(([name]) => !DROPPED.has(name.toLowerCase()));
  const head = [
    `${method} ${path.startsWith("/") ? path : `/${path}`} HTTP/1.1`,
    `Host: ${authority}`,
    ...kept.map(([name, value]) => `${name}: ${value}`),
    // One request a connection: what follows it can reach nobody else.
    "Connection: close",
    "",
    "",
  ];
  return { kind: "forward", place: { host: place.host, port: place.port ?? 80 }, head: head.join("\r\n") };
}

/** Two readers would not agree about where such a request ends. */
function hasTwoLengths(fields: readonly Field[]): boolean {
  return fields.filter(([name]) => /^(content-length|transfer-encoding)$/i.test(name)).length > 1;
}
