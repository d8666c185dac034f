/** Serves tools over MCP on a port of this machine, to every client that has the token. */
import { randomBytes } from "node:crypto";
import { err, ok, type Result } from "neverthrow";
import { problemResponse } from "../../api/http/problem-response.ts";
import { failed } from "../../cli/shared/cli-error.ts";
import type { CliError, McpServing } from "../../cli/shared/cli-options.ts";
import type { McpPlace } from "../../mcp/http/http-sessions.ts";
import type { Settings } from "../process/settings.ts";
import { signaled } from "../process/signaled.ts";
import { LOOPBACK } from "./exposure.ts";
import { listen } from "./listen.ts";
import { createMcpEndpoint } from "./mcp-endpoint.ts";

interface McpHttpOptions {
  /** The same for every client. */
  readonly place: McpPlace;
  readonly port: number;
  readonly onListen: (serving: McpServing) => void;
}

/** A shorter token could be guessed. */
const MIN_TOKEN_LENGTH = 16;

export async function serveMcpHttp(
  { env }: Pick<Settings, "env">,
  { place, port, onListen }: McpHttpOptions,
): Promise<Result<void, CliError>> {
  const token = env.TAZUNA_MCP_TOKEN || randomBytes(32).toString("base64url");
  if (token.length < MIN_TOKEN_LENGTH) return err(WEAK_TOKEN);
  // Filled once the port is known.
  const hosts: string[] = [];
  const endpoint = createMcpEndpoint({ token, allowedHosts: () => hosts, placeOf: async () => ok(place) });
  const stopSignal = signaled();
  let server: ReturnType<typeof listen>;
  try {
    server = listen({ port, host: LOOPBACK }, async (request, connection) =>
      new URL(request.url).pathname === "/mcp" ? endpoint.fetch(request, connection) : notFound(),
    );
  } catch (error) {
    await endpoint.close();
    return err(cannotListen(port, error));
  }
  for (const name of [LOOPBACK, "localhost", "[::1]"]) hosts.push(`${name}:${server.port}`);
  onListen({ url: `http://${LOOPBACK}:${server.port}/mcp`, token });
  await stopSignal;
  await endpoint.close();
  await server.stop(true);
  return ok(undefined);
}

function notFound(): Response {
  return problemResponse({
    kind: "not_found",
    code: "no_such_address",
    message: "There is nothing but /mcp here.",
    remedy: "Use the address that `tazuna mcp` printed.",
  });
}

const WEAK_TOKEN: CliError = {
  exit: 2,
  code: "weak_token",
  message: `TAZUNA_MCP_TOKEN has fewer than ${MIN_TOKEN_LENGTH} characters.`,
  remedy: "Use a longer one, or unset it: a random one is made and printed.",
  details: {},
};

function cannotListen(port: number, error: unknown): CliError {
  const message = error instanceof Error ? error.message : String(error);
  return failed({
    code: "cannot_listen",
    message: `Tazuna cannot listen on port ${port}: ${message}`,
    remedy: "Choose another port, or `--http 0` for a free one.",
  });
}
