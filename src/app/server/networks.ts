/** Knows whether an address lies in one of the networks that a person named. */
import { BlockList, isIP } from "node:net";
import { err, ok, type Result } from "neverthrow";

export interface Networks {
  has(address: string): boolean;
}

/** Each word is an address or a network such as `10.0.0.0/24`; the error is the word that is neither. */
export function parseNetworks(words: readonly string[]): Result<Networks, string> {
  const list = new BlockList();
  for (const word of words) {
    const [, address = "", bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(word.trim()) ?? [];
    const version = isIP(address);
    if (version === 0) return err(word);
    const longest = version === 4 ? 32 : 128;
    const prefix = bits === undefined ? longest : Number(bits);
    // A network of all addresses would trust everybody.
    if (prefix < 1 || prefix > longest) return err(word);
    list.addSubnet(address, prefix, version === 4 ? "ipv4" : "ipv6");
  }
  return ok({
    has(address) {
      const plain = plainAddress(address);
      const version = isIP(plain);
      return version !== 0 && list.check(plain, version === 4 ? "ipv4" : "ipv6");
    },
  });
}

/** A socket for both kinds writes an IPv4 address as `::ffff:10.0.0.7`. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
}
