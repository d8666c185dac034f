/** Reads the first lines of a request to the proxy: the destination, and the lines to send there. */
import { type NetworkPlace, networkPlace } from "../../domain/network/host-rules.ts";

export type ProxyRequest =
  /** A tunnel: everything after the lines goes there unchanged. */
  | { readonly kind: "tunnel"; readonly place: NetworkPlace }
  /** Plain http: `head` are the lines for the destination itself. */
  | { readonly kind: "forward"; readonly place: NetworkPlace; readonly head: string }
  | { readonly kind: "broken" };

const BROKEN: ProxyRequest = { kind: "broken" };

/**
 * A method, a target without blanks, a version; then names and values. No line continues in the next one, and the tab
 * is the only control character.
 */
const FIRST_LINE = /^([A-Z]{1,20}) ([\x21-\x7e\x80-\xff]{1,8000}) HTTP\/1\.[01]$/;
const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/;

/** `head` are the lines before the empty one, each character a byte. */
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

/** Fields about the connection to us, or fields that are written anew. */
const DROPPED = new Set([
  "connection",
  "host",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "upgrade",
]);

/** The target alone names the destination. Another host in the `Host` field is ignored. */
function forward(method: string, target: string, fields: readonly Field[]): ProxyRequest {
  const [, authority = "", path = ""] = /^http:\/\/([^/?#@\\]+)([/?][^#]*)?$/i.exec(target) ?? [];
  const place = networkPlace(authority);
  if (place === null || hasTwoLengths(fields)) return BROKEN;
  const kept = fields.filter(([name]) => !DROPPED.has(name.toLowerCase()));
  const head = [
    `${method} ${path.startsWith("/") ? path : `/${path}`} HTTP/1.1`,
    `Host: ${authority}`,
    ...kept.map(([name, value]) => `${name}: ${value}`),
    // One request for each connection, so what follows it reaches no other host.
    "Connection: close",
    "",
    "",
  ];
  return { kind: "forward", place: { host: place.host, port: place.port ?? 80 }, head: head.join("\r\n") };
}

/** Two readers could disagree about the end of such a request. */
function hasTwoLengths(fields: readonly Field[]): boolean {
  return fields.filter(([name]) => /^(content-length|transfer-encoding)$/i.test(name)).length > 1;
}
