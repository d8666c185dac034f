/** Connects confined programs to the places of a list, and to nothing else. */
import { lookup as lookupName } from "node:dns/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { type HostRule, type NetworkPlace, placeText } from "../../domain/network/host-rules.ts";
import { findAddresses, type Lookup } from "./find-addresses.ts";
import { joinSockets } from "./join-sockets.ts";
import { type ProxyRequest, readRequest } from "./read-request.ts";
import { receiveHead } from "./receive-head.ts";

interface ProxyOptions {
  readonly rules: readonly HostRule[];
  /** Default: the system's own. */
  readonly lookup?: Lookup;
  /** Called for each request to a place that is not in the list. Must not throw. */
  readonly onRefused: (place: NetworkPlace) => void;
}

const MAX_CONNECTIONS = 512;
const CONNECT_MS = 20_000;
/** How long a refused program may take to read the answer, even if it keeps sending. */
const REFUSED_MS = 1000;

/** A server that is not listening yet. Its input counts as hostile: `readRequest` accepts only plain, whole lines. */
export function createProxy(options: ProxyOptions): Server {
  let open = 0;
  return createServer({ allowHalfOpen: true }, (client) => {
    open++;
    client.on("error", () => client.destroy());
    client.on("close", () => {
      open--;
    });
    if (open > MAX_CONNECTIONS)
      return refuse(client, "503 Too many connections", "Too many connections are open.");
    serve(client, options).catch(() => client.destroy());
  });
}

async function serve(client: Socket, options: ProxyOptions): Promise<void> {
  const received = await receiveHead(client);
  if (received.kind !== "head") {
    if (received.kind === "gone") return void client.destroy();
    return refuse(
      client,
      received.kind === "slow" ? "408 Request Timeout" : "431 Request Head Too Large",
      "",
    );
  }
  const request = readRequest(received.head);
  if (request.kind === "broken")
    return refuse(client, "400 Bad Request", "This proxy takes CONNECT and whole addresses of http.");
  const { rules, lookup = systemLookup } = options;
  const found = await findAddresses(request.place, { rules, lookup });
  if (found.kind === "unknown")
    return refuse(client, "502 Name not found", `${request.place.host} has no address.`);
  if (found.kind !== "found") {
    options.onRefused(request.place);
    const behind = found.kind === "private" ? found.address : null;
    return refuse(client, "403 Not in sandbox.network", refusalText(request.place, behind));
  }
  const server = await connectToOne(found.addresses, request.place.port);
  if (client.destroyed) return void server?.destroy();
  if (server === null)
    return refuse(client, "502 No connection", `${placeText(request.place)} could not be reached.`);
  begin(request, { client, server, rest: received.rest });
}

/** The text for a person who wants to allow the place. */
function refusalText(place: NetworkPlace, behind: string | null): string {
  const text = placeText(place);
  return behind === null
    ? `${text} is not among the hosts that this run may reach: \`sandbox.network\` in Tazuna's configuration lists them.`
    : `${text} leads to ${behind}, an address of this machine or its own networks. \`sandbox.network\` in Tazuna's configuration would have to list that address too.`;
}

function begin(
  request: Exclude<ProxyRequest, { kind: "broken" }>,
  { client, server, rest }: { readonly client: Socket; readonly server: Socket; readonly rest: Buffer },
): void {
  if (request.kind === "tunnel") client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
  else server.write(request.head, "latin1");
  if (rest.length > 0) server.write(rest);
  joinSockets(client, server);
}

function refuse(client: Socket, status: string, text: string): void {
  const body = text === "" ? "" : `${text}\n`;
  client.end(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // Its remaining data is read and dropped; endless data is cut off.
  client.resume();
  const timer = setTimeout(() => client.destroy(), REFUSED_MS);
  client.once("close", () => clearTimeout(timer));
}

const systemLookup: Lookup = async (host) =>
  (await lookupName(host, { all: true, order: "ipv4first" })).map(({ address }) => address);

/** Null if none of them answers. */
async function connectToOne(addresses: readonly string[], port: number): Promise<Socket | null> {
  for (const host of addresses.slice(0, MAX_ADDRESSES)) {
    const socket = await connectTo(host, port);
    if (socket !== null) return socket;
  }
  return null;
}

const MAX_ADDRESSES = 3;

function connectTo(host: string, port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, allowHalfOpen: true });
    const timer = setTimeout(() => give(null), CONNECT_MS);
    const give = (answer: Socket | null): void => {
      clearTimeout(timer);
      socket.off("connect", onConnect).off("error", onError);
      // The new owner adds its error listener before any error can come.
      socket.on("error", () => socket.destroy());
      if (answer === null) socket.destroy();
      resolve(answer);
    };
    const onConnect = () => give(socket);
    const onError = () => give(null);
    socket.once("connect", onConnect).once("error", onError);
  });
}
