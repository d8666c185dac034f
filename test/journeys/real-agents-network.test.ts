/** Tells that the real agents work under a list of hosts that names their model, and what they are refused. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { branchAt, changedPaths, ending, PATIENCE_MS } from "../helpers/journey.ts";
import {
  byAgentSoon,
  describeReal,
  expected,
  type RealProduct,
  startRealProduct,
} from "../helpers/real-product.ts";
import { sandboxHere } from "../helpers/sandbox.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };

/** Not of the loopback, which stands in no proxy's way. */
const OUTSIDE =
  Object.values(networkInterfaces())
    .flatMap((them) => them ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? null;
const NO_ADDRESS = OUTSIDE === null ? "this machine has no address but its loopback" : null;

describeReal(
  "a list of hosts around real agents",
  () => {
    let real: RealProduct;
    let door: Server;

    beforeAll(async () => {
      real = await startRealProduct({
        isolation: "sandbox",
        modelAt: async (url) => {
          door = await doorTo(Number(new URL(url).port));
          return `http://${OUTSIDE}:${portOf(door)}`;
        },
        script: {
          scenarios: [
            {
              when: /JOB-NET/,
              turns: [
                { tools: [{ op: "write", path: "made.txt", content: "made\n" }] },
                { tools: [{ op: "shell", command: "curl -sS http://unlisted.example/ > refused.txt" }] },
                { tools: [{ op: "mcp", server: "tazuna", tool: "git_status_summary", input: { cwd: "." } }] },
                { text: "I did it." },
              ],
            },
          ],
        },
      });
      await real.product.configure({ sandbox: { network: [`${OUTSIDE}:${portOf(door)}`] } });
    });
    afterAll(async () => {
      door?.close();
      await real?.[Symbol.asyncDispose]();
    });

    test("a whole turn: the model by the proxy, files, a shell command, our tools; what was refused is reported", async () => {
      const { product } = real;
      const end = await real.run("JOB-NET");
      expect<unknown>(
        await byAgentSoon(end.attempts, async (run, { branch }) => ({
          ending: ending(run),
          isolation: run.isolation,
          pushed: (await branchAt(product, product.origin, branch)) !== null,
          paths: await changedPaths(product, product.origin, branch),
          refused: run.notes.flatMap(({ code, details }) =>
            code === "network_refused"
              ? Object.keys(details.hosts as object).includes("unlisted.example:80")
              : [],
          ),
        })),
      ).toEqual(
        expected(() => ({
          ending: PUSHED,
          isolation: "sandbox",
          pushed: true,
          paths: ["made.txt", "refused.txt"],
          refused: [true],
        })),
      );
    });
  },
  { missing: sandboxHere.available ? NO_ADDRESS : sandboxHere.reason },
);

/** Lets callers of this machine's address through to a port of its loopback. */
async function doorTo(port: number): Promise<Server> {
  const server = createServer((client) => {
    const inner = connect({ host: "127.0.0.1", port });
    for (const [from, to] of [
      [client, inner],
      [inner, client],
    ] as const)
      from.on("error", () => to.destroy()).pipe(to);
  });
  await new Promise<void>((resolve) => server.listen(0, OUTSIDE ?? "", resolve));
  return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;
