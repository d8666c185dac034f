/** Keeps the MCP sessions of one server, and ends those that are no longer used. */
import type { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { McpServer } from "../server/create-mcp-server.ts";

export interface Session {
  /** What the session works on. */
  readonly scope: string;
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** By the monotonic clock, in milliseconds. */
  lastUsed: number;
  /** The number of answers that are still being read. */
  open: number;
}

export interface SessionLimits {
  readonly max: number;
  /** Milliseconds without a request, an open stream or a running call, after which a session ends. */
  readonly idleMs: number;
  /** Gets errors that no caller waits for. */
  readonly report: (error: unknown) => void;
}

interface SessionTable {
  /**
   * Reserves a place for a session that is about to begin; null if all sessions are in use. The returned function
   * frees the place; call it when the session was added or has failed.
   */
  makeRoom(): (() => void) | null;
  add(id: string, session: Session): void;
  get(id: string): Session | undefined;
  /** Settles when its calls and services have ended. */
  end(id: string): Promise<void>;
  count(): number;
  close(): Promise<void>;
}

/** How often it looks for idle sessions. */
const LOOK_MS = 30_000;

export function createSessionTable({ max, idleMs, report }: SessionLimits): SessionTable {
  const sessions = new Map<string, Session>();
  const beginning = new Set<() => void>();
  let isClosed = false;
  const isIdle = ({ server, open }: Session) => open === 0 && server.running() === 0;
  const end = async (id: string) => {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.server.close().catch(report);
  };
  const sweep = () => {
    const before = performance.now() - idleMs;
    for (const [id, session] of sessions) if (isIdle(session) && session.lastUsed < before) void end(id);
  };
  const timer = setInterval(sweep, Math.min(idleMs, LOOK_MS));
  return {
    makeRoom() {
      if (sessions.size + beginning.size >= max) {
        const idle = [...sessions].filter(([, session]) => isIdle(session));
        const [oldest] = idle.sort(([, a], [, b]) => a.lastUsed - b.lastUsed);
        if (oldest === undefined) return null;
        void end(oldest[0]);
      }
      const leave = () => void beginning.delete(leave);
      beginning.add(leave);
      return leave;
    },
    add(id, session) {
      sessions.set(id, session);
      // This session began while the others were ended; nothing else would end it.
      if (isClosed) void end(id);
    },
    get: (id) => sessions.get(id),
    end,
    count: () => sessions.size,
    async close() {
      isClosed = true;
      clearInterval(timer);
      await Promise.all([...sessions.keys()].map(end));
    },
  };
}
