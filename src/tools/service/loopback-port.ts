/** Checks by a connection whether a program listens on a port of this machine. */
import { connect } from "node:net";

/** Longer than any listener on loopback takes to accept. */
const KNOCK_MS = 1000;

/** Tries both loopback addresses, because many servers listen on only one. */
export async function isListening(port: number): Promise<boolean> {
  const answers = await Promise.all(["127.0.0.1", "::1"].map((host) => accepts(host, port)));
  return answers.includes(true);
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(KNOCK_MS, () => settle(false));
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
  });
}
