/** Puts programs on machines that only a network joins: each has its own namespace, address and cable to one switch. */
import {
  addNamespace,
  freeName,
  ip,
  killAllIn,
  removeLeftNamespaces,
  removeNamespace,
} from "./namespaces.ts";

export interface Machine {
  /** By it all others reach it. */
  readonly address: string;
  /** In front of a command that is to run there. */
  readonly behind: readonly string[];
  /** Its cable is pulled: what it sends is lost without a word, and so is what is sent to it. */
  pull(): void;
  plug(): void;
  /** What this machine sends to the other one is lost, or arrives again. What that one sends arrives all the while. */
  lose(to: Machine): void;
  find(to: Machine): void;
  /** All that lives there ends at once, and nothing says so to the others. Then it is there again, with nothing and unplugged. */
  losePower(): Promise<void>;
}

export interface Network<Name extends string> extends AsyncDisposable {
  readonly machines: Readonly<Record<Name, Machine>>;
}

const CARD = "eth0";
/** Nobody has it, so the switch carries what is sent to it nowhere. */
const NOBODY = "02:00:00:00:ff:ff";
const bitsOfNetwork = 24;

/** Nothing of it is seen outside: also the switch has a namespace of its own, and so the addresses may be used twice. */
export async function network<Name extends string>(names: readonly Name[]): Promise<Network<Name>> {
  await removeLeftNamespaces();
  const base = freeName();
  const middle = `${base}-switch`;
  const all = [middle, ...names.map((name) => `${base}-${name}`)];
  const remove = async () => {
    for (const name of all) await removeNamespace(name).catch(() => undefined);
  };
  try {
    addNamespace(middle);
    ip("-n", middle, "link", "add", "switch", "type", "bridge");
    ip("-n", middle, "link", "set", "switch", "up");
    const machines = names.map(
      (name, index) => [name, machine(middle, `${base}-${name}`, index + 1)] as const,
    );
    return {
      machines: Object.fromEntries(machines) as Record<Name, Machine>,
      [Symbol.asyncDispose]: remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

function machine(middle: string, space: string, number: number): Machine {
  const address = `10.77.0.${number}`;
  const port = `to${number}`;
  const begin = () => {
    addNamespace(space);
    ip("-n", middle, "link", "add", port, "type", "veth", "peer", "name", CARD, "netns", space);
    ip("-n", middle, "link", "set", port, "master", "switch");
    ip("-n", space, "address", "add", `${address}/${bitsOfNetwork}`, "dev", CARD);
    ip("-n", space, "link", "set", CARD, "up");
  };
  const plug = () => void ip("-n", middle, "link", "set", port, "up");
  begin();
  plug();
  const neighbour = (to: Machine, ...words: readonly string[]) =>
    ip("-n", space, "neighbour", words[0] ?? "", to.address, "dev", CARD, ...words.slice(1));
  return {
    address,
    behind: ["nsenter", `--net=/run/netns/${space}`, "--"],
    pull: () => void ip("-n", middle, "link", "set", port, "down"),
    plug,
    lose: (to) => void neighbour(to, "replace", "lladdr", NOBODY, "nud", "permanent"),
    find: (to) => void neighbour(to, "del"),
    losePower: async () => {
      // First the cable, so that no kernel says goodbye for those that end.
      ip("-n", middle, "link", "del", port);
      await killAllIn(space);
      await removeNamespace(space);
      begin();
    },
  };
}
