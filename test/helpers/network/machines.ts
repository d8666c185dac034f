/** Puts programs on machines that only a network joins: each has its own namespace, address and cable to one switch. */
import {
  addNamespace,
  freeName,
  ip,
  killAllIn,
  removeLeftNamespaces,
  removeNamespace,
} from "./namespaces.ts";

interface Addressed {
  /** By it all others reach it. */
  readonly address: string;
}

export interface Machine extends Addressed {
  /** In front of a command that is to run there. */
  readonly behind: readonly string[];
  /** Its cable is pulled: what it sends is lost without a word, and so is what is sent to it. */
  pull(): void;
  plug(): void;
  /** What this machine sends to the other one is lost, or arrives again. What that one sends arrives all the while. */
  lose(to: Addressed): void;
  find(to: Addressed): void;
  /**
   * What both have open between them carries nothing any more, and nobody is told, as with a firewall that has lost
   * its list of connections. What this machine opens from now on works. Once for each other machine.
   */
  drop(to: Machine): void;
  /** All that lives there ends at once, and nothing says so to the others. Then it is there again, with nothing and unplugged. */
  losePower(): Promise<void>;
}

export interface Network<Name extends string> extends AsyncDisposable {
  readonly machines: Readonly<Record<Name, Machine>>;
}

const CARD = "eth0";
/** Nobody has it, so the switch carries what is sent to it nowhere. */
const NOBODY = "02:00:00:00:ff:ff";
/** The number of a table of routes, by which things get lost. */
const LOST = "77";
/** No machine has it: what is sent there goes to nobody. */
const NOWHERE = "10.77.255.254";
const bitsOfNetwork = 16;

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
  const neighbour = (to: Addressed, ...words: readonly string[]) =>
    ip("-n", space, "neighbour", words[0] ?? "", to.address, "dev", CARD, ...words.slice(1));
  const lose = (to: Addressed) => void neighbour(to, "replace", "lladdr", NOBODY, "nud", "permanent");
  return {
    address,
    behind: ["nsenter", `--net=/run/netns/${space}`, "--"],
    pull: () => void ip("-n", middle, "link", "set", port, "down"),
    plug,
    lose,
    find: (to) => void neighbour(to, "del"),
    drop: (to) => {
      // What is open has the old address at this end. What is opened anew gets one that only these two use.
      const next = address.replace(".0.", `.${to.address.split(".").at(-1)}.`);
      ip("-n", space, "address", "add", `${next}/${bitsOfNetwork}`, "dev", CARD);
      ip("-n", space, "route", "add", to.address, "dev", CARD, "src", next);
      lose({ address: NOWHERE });
      ip("-n", space, "route", "add", to.address, "via", NOWHERE, "dev", CARD, "table", LOST);
      ip("-n", space, "rule", "add", "from", address, "to", to.address, "lookup", LOST);
      to.lose({ address });
    },
    losePower: async () => {
      // First the cable, so that no kernel says goodbye for those that end.
      ip("-n", middle, "link", "del", port);
      await killAllIn(space);
      await removeNamespace(space);
      begin();
    },
  };
}
