/** Serves one MCP client on standard input and output, and ends this process with it. */
import { createLineTransport } from "../../mcp/lines/line-transport.ts";
import type { McpServer } from "../../mcp/server/serve-tools.ts";
import { settlesWithin } from "../../utils/time/waiting.ts";
import { claimStdout } from "../process/claim-stdout.ts";
import { signaled } from "../process/signaled.ts";
import { reportMcp } from "./make-mcp-server.ts";

/** How long a client that has gone may take to read earlier answers. */
const LAST_ANSWERS_MS = 1_000;

export async function serveOverStdio(makeServer: () => McpServer): Promise<never> {
  const { write, end } = claimStdout();
  const server = makeServer();
  const stopSignal = signaled();
  if (process.stdin.isTTY)
    reportMcp("This is for agents, which speak MCP on standard input; Ctrl-C ends it.");
  await server.connect(createLineTransport({ input: Bun.stdin.stream(), write }));
  await Promise.race([server.ended, stopSignal]);
  await server.close();
  // A client that has gone may keep the pipe open without reading it. This process ends anyway.
  await settlesWithin(LAST_ANSWERS_MS, end());
  process.exit(0);
}
