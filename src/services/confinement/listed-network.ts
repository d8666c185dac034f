/** Gives a run's programs a network with only the hosts of a list, and reports which others they asked for. */
import { randomUUID } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type HostRule, hostRule, placeText } from "../../domain/network/host-rules.ts";
import type { RunNote } from "../../domain/run/run.ts";
import { isLoopback } from "../../sandbox/network/find-addresses.ts";
import { countRefused, REFUSED_FILE } from "../../sandbox/network/refused-places.ts";
import type { ListedNetwork } from "../../sandbox/profile.ts";
import type { Uses } from "../core/context-parts.ts";
import { note, type RunWorld } from "../run-core/step.ts";

/** Below the run's folder, which no confined program sees. */
const NETWORK_FOLDER = "network";

/**
 * On the confined loopback, which no other program shares. It lies outside of the ports that systems hand out, so that
 * no test suite takes it first.
 */
const PROXY_PORT = 61_080;

/** The network of one program, made for it. */
interface ProgramNetwork {
  readonly profile: ListedNetwork;
  /** The command of the proxy, which must be ready before the program starts. */
  readonly beside: readonly string[];
}

export async function listedNetwork(
  context: Uses<"paths" | "selfCommand">,
  { run }: Pick<RunWorld, "run">,
  hosts: readonly string[],
): Promise<ProgramNetwork> {
  const folder = join(context.paths.run(run.id), NETWORK_FOLDER);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // A new name each time: a file that a killed proxy left is not in the way.
  const socket = `proxy-${randomUUID().slice(0, 8)}`;
  const local = hosts.flatMap((text) => localPlace(hostRule(text)));
  const through = [...context.selfCommand, "__bridge", String(PROXY_PORT), ...local, "--"];
  return {
    profile: { socket: join(folder, socket), through },
    beside: [...context.selfCommand, "__network", folder, socket, ...hosts],
  };
}

/** A port of this machine that the list names. */
function localPlace(rule: HostRule | null): readonly string[] {
  if (rule === null || rule.below || rule.port === null) return [];
  const { host, port } = rule;
  return host === "localhost" || isLoopback(host) ? [placeText({ host, port })] : [];
}

const PROXY = `http://127.0.0.1:${PROXY_PORT}`;
/** The confined loopback belongs to the program: its own servers listen there, and listed ports of this machine. */
const DIRECT = "localhost,127.0.0.1,::1";

/** Variables that lead programs to the proxy; node follows them only with its own switch. */
export const PROXY_VARIABLES: Readonly<Record<string, string>> = {
  ...{ HTTP_PROXY: PROXY, HTTPS_PROXY: PROXY, ALL_PROXY: PROXY, NO_PROXY: DIRECT },
  ...{ http_proxy: PROXY, https_proxy: PROXY, all_proxy: PROXY, no_proxy: DIRECT },
  NODE_USE_ENV_PROXY: "1",
};

const CODE = "network_refused";
const MAX_NAMED = 50;

/**
 * A note about the network places that the programs of a run asked for and did not reach. It leaves out those that an
 * earlier note of this run names. No note if none are left.
 */
export async function refusedHosts(
  context: Uses<"paths">,
  { run, configuration }: Pick<RunWorld, "run" | "configuration">,
): Promise<readonly RunNote[]> {
  if (!Array.isArray(configuration.values.sandbox.network)) return [];
  const file = join(context.paths.run(run.id), NETWORK_FOLDER, REFUSED_FILE);
  const counts = countRefused(await readFile(file, "utf8").catch(() => ""));
  const noted = new Set(
    run.notes.flatMap(({ code, details }) => (code === CODE ? Object.keys(Object(details.hosts)) : [])),
  );
  const fresh = [...counts]
    .filter(([host]) => !noted.has(host))
    .slice(0, Math.max(0, MAX_NAMED - noted.size));
  if (fresh.length === 0) return [];
  const names = fresh.map(([host]) => host).join(", ");
  const message = `Not among the hosts of \`sandbox.network\`, so not reached: ${names}.`;
  return [note(CODE, message, { hosts: Object.fromEntries(fresh) })];
}
