/** Opens `/mcp` on the server of an engine; its modules are loaded at the first request. */
import type { Connection } from "../../api/http/api-options.ts";
import type { Engine } from "../engine/engine.ts";
import type { Settings } from "../process/settings.ts";
import type { McpEndpoint } from "./mcp-endpoint.ts";

interface McpRoute {
  isFor(request: Request): boolean;
  fetch(request: Request, connection: Connection): Promise<Response>;
  /** The number of connected clients. */
  sessions(): number;
  close(): Promise<void>;
}

interface McpRouteOptions {
  readonly settings: Settings;
  readonly engine: Pick<Engine, "services" | "paths">;
  /** The server's own token. */
  readonly token: string;
  readonly allowedHosts: () => readonly string[];
}

export function createMcpRoute({ settings, engine, ...guards }: McpRouteOptions): McpRoute {
  const { services, paths } = engine;
  let opened: Promise<McpEndpoint> | null = null;
  let sessions = () => 0;
  const open = async (): Promise<McpEndpoint> => {
    const [{ createMcpEndpoint }, { createMcpPlaces }] = await Promise.all([
      import("./mcp-endpoint.ts"),
      import("./mcp-places.ts"),
    ]);
    const endpoint = createMcpEndpoint({
      ...guards,
      placeOf: createMcpPlaces({ settings, services, paths }),
    });
    sessions = endpoint.sessions;
    return endpoint;
  };
  return {
    isFor: ({ url }) => new URL(url).pathname === "/mcp",
    async fetch(request, connection) {
      opened ??= open();
      return (await opened).fetch(request, connection);
    },
    sessions: () => sessions(),
    close: async () => (await opened)?.close(),
  };
}
