/** Waits for the first lines of a request, with a time limit and a size limit. */
import type { Socket } from "node:net";

type ReceivedHead =
  | {
      readonly kind: "head";
      /** Without the empty line; each character is a byte. */
      readonly head: string;
      /** The bytes after it. */
      readonly rest: Buffer;
    }
  | { readonly kind: "slow" }
  | { readonly kind: "long" }
  | { readonly kind: "gone" };

const MAX_BYTES = 32 * 1024;
const TIMEOUT_MS = 10_000;
const END = Buffer.from("\r\n\r\n");

/** The socket is paused afterwards. */
export function receiveHead(socket: Socket): Promise<ReceivedHead> {
  return new Promise((resolve) => {
    let bytes: Buffer = Buffer.alloc(0);
    const onData = (chunk: Buffer): void => {
      const searched = Math.max(0, bytes.length - END.length);
      bytes = Buffer.concat([bytes, chunk]);
      const end = bytes.indexOf(END, searched);
      if (end > MAX_BYTES || (end < 0 && bytes.length > MAX_BYTES)) give({ kind: "long" });
      else if (end >= 0)
        give({
          kind: "head",
          head: bytes.subarray(0, end).toString("latin1"),
          rest: bytes.subarray(end + END.length),
        });
    };
    const onGone = () => give({ kind: "gone" });
    const timer = setTimeout(() => give({ kind: "slow" }), TIMEOUT_MS);
    const give = (answer: ReceivedHead): void => {
      clearTimeout(timer);
      socket.off("data", onData).off("end", onGone).off("close", onGone);
      socket.pause();
      resolve(answer);
    };
    socket.on("data", onData).once("end", onGone).once("close", onGone);
  });
}
