/** Opens the sockets of a server: one for this machine, and another if it is reached from elsewhere (ADR 0070). */
import type { Connection } from "../../api/http/api-options.ts";
import { behindProxy } from "./behind-proxy.ts";
import { EVERY_ADDRESS, type Exposure, LOOPBACK } from "./exposure.ts";
import { listen, USUAL_PORT } from "./listen.ts";

interface Doors {
  /** For programs on this machine. */
  readonly localUrl: string;
  /** For browsers; the same unless it is reached from elsewhere. */
  readonly publicUrl: string;
  /** The `Host` headers that are answered. */
  readonly hosts: readonly string[];
  stop(): Promise<void>;
}

interface DoorOptions {
  /** Null takes the usual port; 0 takes a free one. */
  readonly port: number | null;
  readonly exposure: Exposure;
  /** See `listen`. */
  readonly maxBodyBytes?: number;
}

type AnswerRequest = (request: Request, connection: Connection) => Promise<Response>;

export function openDoors({ port, exposure, ...limits }: DoorOptions, answer: AnswerRequest): Doors {
  if (exposure.kind === "loopback") {
    const server = listen({ port, host: exposure.host, ...limits }, answer);
    const url = `http://${inUrl(exposure.host)}:${server.port}`;
    const hosts = localHosts(server.port, exposure.host);
    return { localUrl: url, publicUrl: url, hosts, stop: () => server.stop(true) };
  }
  const outside = openOutside({ port, exposure, ...limits }, (request, connection) =>
    answer(request, { ...connection, outside: true }),
  );
  // Programs of this machine have no certificate to check and no proxy to go through.
  const local = listen({ port: 0, host: LOOPBACK, ...limits }, answer);
  return {
    localUrl: `http://${LOOPBACK}:${local.port}`,
    publicUrl: outside.url,
    hosts: [...localHosts(local.port, LOOPBACK), ...outside.hosts],
    stop: async () => {
      await Promise.all([outside.server.stop(true), local.stop(true)]);
    },
  };
}

type Outside = Exclude<Exposure, { kind: "loopback" }>;

function openOutside(
  { port, exposure, ...limits }: Omit<DoorOptions, "exposure"> & { readonly exposure: Outside },
  answer: AnswerRequest,
) {
  const { host } = exposure;
  // Another port than the usual one would not be the one that a proxy or a firewall knows.
  const at = { port: port ?? USUAL_PORT, host, ...limits };
  if (exposure.kind === "proxy") {
    const server = listen(at, behindProxy(exposure.proxies, answer));
    return { server, url: exposure.publicOrigin.origin, hosts: [exposure.publicOrigin.host] };
  }
  const { cert, key, names } = exposure.certificate;
  const server = listen({ ...at, tls: { cert, key } }, answer);
  const known = [...(EVERY_ADDRESS.includes(host) ? [] : [host]), ...names];
  // The port is left out of what browsers send if it is the one of https.
  const hosts = known.map((name) => new URL(`https://${inUrl(name)}:${server.port}`).host);
  return { server, url: `https://${hosts[0]}`, hosts };
}

function localHosts(port: number | undefined, host: string): readonly string[] {
  return [...new Set([LOOPBACK, "localhost", "[::1]", inUrl(host)])].map((name) => `${name}:${port}`);
}

function inUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
