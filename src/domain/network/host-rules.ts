/** Reads the host rules of `sandbox.network` and says whether they permit a host and port. */

export interface HostRule {
  /** Lower case; a name, an IPv4 address, or an IPv6 address without its brackets. */
  readonly host: string;
  /** Whether it stands for all names below `host`, and not for `host` itself. */
  readonly below: boolean;
  /** Null: the ports of https and http. */
  readonly port: number | null;
}

export interface NetworkPlace {
  readonly host: string;
  readonly port: number;
}

/** The form of `HOST`, `HOST:PORT`, `*.DOMAIN` and `[IPV6]:PORT`; a name in ASCII, as it is sent on the network. */
export const HOST_RULE =
  /^(?:\*\.)?[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?(?:\.[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?)*(?::[1-9][0-9]{0,4})?$|^\[[0-9A-Fa-f:.]{2,45}\](?::[1-9][0-9]{0,4})?$/;

const DEFAULT_PORTS: ReadonlySet<number> = new Set([80, 443]);

/** Null if it is not such a rule. */
export function hostRule(text: string): HostRule | null {
  const below = text.startsWith("*.");
  const place = HOST_RULE.test(text) ? networkPlace(below ? text.slice(2) : text) : null;
  return place === null ? null : { ...place, below };
}

/** `HOST`, `HOST:PORT` or `[IPV6]:PORT`. The port is null if none is named; the result is null for any other text. */
export function networkPlace(text: string): { readonly host: string; readonly port: number | null } | null {
  const found = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9_.-]+))(?::([0-9]{1,5}))?$/.exec(text);
  if (found === null || text.length > MAX_LENGTH) return null;
  const [, six, name, digits] = found;
  const port = digits === undefined ? null : Number(digits);
  if (port !== null && (port < 1 || port > 65_535)) return null;
  // One dot at the end only says that the name is complete.
  const host = (six ?? name ?? "").toLowerCase().replace(/\.$/, "");
  return host === "" ? null : { host, port };
}

/** A name of 253 characters, brackets and a port. */
const MAX_LENGTH = 262;

export function allowsPlace(rules: readonly HostRule[], { host, port }: NetworkPlace): boolean {
  return rules.some(
    (rule) =>
      (rule.port === null ? DEFAULT_PORTS.has(port) : rule.port === port) &&
      (rule.below ? host.endsWith(`.${rule.host}`) : host === rule.host),
  );
}

/** The text for an answer, a note and the configuration. */
export function placeText({ host, port }: NetworkPlace): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}
