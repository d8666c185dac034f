/** Runs the inner end of the listed network: ports of the confined loopback that lead to the outer proxy. */
import { connect, createServer, type Socket } from "node:net";
import { type NetworkPlace, placeText } from "../../domain/network/host-rules.ts";
import { joinSockets } from "./join-sockets.ts";
import { receiveHead } from "./receive-head.ts";

interface BridgeOptions {
  /** Absolute path of the proxy's socket. */
  readonly socket: string;
  /** The port at which programs find the proxy. */
  readonly port: number;
  /** Listed places of this machine's loopback: programs find them at the same port as outside. */
  readonly local: readonly NetworkPlace[];
}

/** Resolves once every possible port listens; rejects if the proxy's own port cannot. */
export async function openBridge({ socket, port, local }: BridgeOptions): Promise<void> {
  await listen({ host: "127.0.0.1", port }, (client) => join(client, socket));
  // A low port is not available inside, and IPv6 may be missing: those are reached only through the proxy.
  for (const place of local)
    for (const host of addressesOf(place))
      await listen({ host, port: place.port }, (client) => tunnel(client, socket, place)).catch(
        () => undefined,
      );
}

/** `localhost` has two addresses. */
function addressesOf({ host }: NetworkPlace): readonly string[] {
  return host === "localhost" ? ["127.0.0.1", "::1"] : [host];
}

function listen(place: NetworkPlace, onClient: (client: Socket) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer({ allowHalfOpen: true }, (client) => {
      client.on("error", () => client.destroy());
      onClient(client);
    });
    server.once("error", reject).listen({ host: place.host, port: place.port }, resolve);
  });
}

function join(client: Socket, path: string): void {
  joinSockets(client, connect({ path, allowHalfOpen: true }));
}

function tunnel(client: Socket, path: string, place: NetworkPlace): void {
  const proxy = connect({ path, allowHalfOpen: true });
  proxy.on("error", () => client.destroy());
  client.pause();
  const text = placeText(place);
  proxy.write(`CONNECT ${text} HTTP/1.1\r\nHost: ${text}\r\n\r\n`);
  void receiveHead(proxy).then((received) => {
    const isOpen = received.kind === "head" && received.head.startsWith("HTTP/1.1 200 ");
    if (!isOpen || client.destroyed) {
      client.destroy();
      return void proxy.destroy();
    }
    client.write(received.rest);
    joinSockets(client, proxy);
  });
}
