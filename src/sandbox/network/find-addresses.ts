/** Finds the addresses of a listed place, and refuses unlisted addresses of this machine and its own networks. */
import { BlockList, isIP } from "node:net";
import { allowsPlace, type HostRule, type NetworkPlace } from "../../domain/network/host-rules.ts";

/** All addresses of a name; rejects if it has none. */
export type Lookup = (host: string) => Promise<readonly string[]>;

type FoundAddresses =
  /** At least one. */
  | { readonly kind: "found"; readonly addresses: readonly string[] }
  /** No rule names the place. */
  | { readonly kind: "not_listed" }
  /** Its name is listed, but leads to a private address. */
  | { readonly kind: "private"; readonly address: string }
  | { readonly kind: "unknown" };

/**
 * An address of this machine or of a network around it must itself be listed. A listed name that leads to it is not
 * enough.
 */
export async function findAddresses(
  place: NetworkPlace,
  { rules, lookup }: { readonly rules: readonly HostRule[]; readonly lookup: Lookup },
): Promise<FoundAddresses> {
  if (!allowsPlace(rules, place)) return { kind: "not_listed" };
  if (isIP(place.host) !== 0) return { kind: "found", addresses: [place.host] };
  const isThisMachine = place.host === "localhost";
  const addresses = await lookup(place.host).catch(() => []);
  const [first] = addresses;
  if (first === undefined) return { kind: "unknown" };
  const open = addresses.filter(
    (address) =>
      !isPrivate(address) ||
      (isThisMachine && isLoopback(address)) ||
      allowsPlace(rules, { host: address.toLowerCase(), port: place.port }),
  );
  return open.length === 0 ? { kind: "private", address: first } : { kind: "found", addresses: open };
}

const PRIVATE = {
  ipv4: blocks("ipv4", [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "224.0.0.0/3",
  ]),
  // Everything outside 2000::/3, and the two ranges in it whose addresses contain an IPv4 address (Teredo, 6to4).
  ipv6: blocks("ipv6", ["::/3", "2001::/32", "2002::/16", "4000::/2", "8000::/1"]),
};
const LOOPBACK = { ipv4: blocks("ipv4", ["127.0.0.0/8"]), ipv6: blocks("ipv6", ["::1/128"]) };

/** One list for each family: in a list of both, an IPv4 address would also match as an IPv6 one. */
function blocks(family: Family, subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [net = "", bits] = subnet.split("/");
    list.addSubnet(net, Number(bits), family);
  }
  return list;
}

type Family = "ipv4" | "ipv6";

function isPrivate(address: string): boolean {
  const family = familyOf(address);
  return PRIVATE[family].check(address, family);
}

export function isLoopback(address: string): boolean {
  const family = familyOf(address);
  return isIP(address) !== 0 && LOOPBACK[family].check(address, family);
}

function familyOf(address: string): Family {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}
