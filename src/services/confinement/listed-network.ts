/** Gives the programs of a run a network with nothing in it but the hosts of a list. */
import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type HostRule, hostRule, placeText } from "../../domain/network/host-rules.ts";
import { isLoopback } from "../../sandbox/network/find-addresses.ts";
import type { ListedNetwork } from "../../sandbox/profile.ts";
import type { ServiceContext } from "../context.ts";
import type { RunWorld } from "../runs/step.ts";

/** Below the run's folder, which no confined program sees. */
export const NETWORK_FOLDER = "network";

/** On the confined loopback, which is nobody else's: outside of the ports that systems hand out, so that no test suite gets it first. */
const PROXY_PORT = 61_080;

/** One program's, made for it. */
export interface ProgramNetwork {
  readonly profile: ListedNetwork;
  /** The command of the proxy: it has to be ready before the program starts. */
  readonly beside: readonly string[];
}

export async function listedNetwork(
  context: Pick<ServiceContext, "paths" | "selfCommand">,
  { run }: Pick<RunWorld, "run">,
  hosts: readonly string[],
): Promise<ProgramNetwork> {
  const folder = join(context.paths.run(run.id), NETWORK_FOLDER);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // A new one each time: what a killed proxy left is in nobody's way.
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
/** The confined loopback is the program's own: servers that it starts for itself lie there, and listed ports of this machine. */
const DIRECT = "localhost,127.0.0.1,::1";

/** What leads programs to the proxy; node obeys only with its own switch. */
export const PROXY_VARIABLES: Readonly<Record<string, string>> = {
  ...{ HTTP_PROXY: PROXY, HTTPS_PROXY: PROXY, ALL_PROXY: PROXY, NO_PROXY: DIRECT },
  ...{ http_proxy: PROXY, https_proxy: PROXY, all_proxy: PROXY, no_proxy: DIRECT },
  NODE_USE_ENV_PROXY: "1",
};
