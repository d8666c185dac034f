/** Keeps the MCP sessions of one server, and ends those that are no longer used. */
import type { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { McpServer } from "../server/serve-tools.ts";

export interface Session {
  /** What the session works on. */
  readonly scope: string;
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** By the monotonic clock, in milliseconds. */
  lastUsed: number;
  /** The number of answers that are still being read. */
  openAnswers: number;
}

export interface SessionLimits {
  readonly maxSessions: number;
  /** Milliseconds without a request, an open stream or a running call, after which a session ends. */
  readonly idleMs: number;
  /** Gets errors that no caller waits for. */
  readonly report: (error: unknown) => void;
}

interface SessionTable {
  /**
   * Reserves a place for a session that is about to begin. It may end the oldest idle session; null if none is idle.
   * The returned function frees the place. Call it when the session was added or has failed.
   */
  reserve(): (() => void) | null;
  add(id: string, session: Session): void;
  get(id: string): Session | undefined;
  /** Ends the session. Settles when its calls and services have ended. */
  end(id: string): Promise<void>;
  count(): number;
  close(): Promise<void>;
}

/** How often idle sessions are looked for. */
const POLL_MS = 30_000;

export function createSessionTable({ maxSessions, idleMs, report }: SessionLimits): SessionTable {
  const sessions = new Map<string, Session>();
  /** One function for each reserved place. */
  const reserved = new Set<() => void>();
  let isClosed = false;
  const isIdle = ({ server, openAnswers }: Session) => openAnswers === 0 && server.running() === 0;
  const end = async (id: string) => {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.server.close().catch(report);
  };
  const sweep = () => {
    const before = performance.now() - idleMs;
    for (const [id, session] of sessions) if (isIdle(session) && session.lastUsed < before) void end(id);
  };
  const timer = setInterval(sweep, Math.min(idleMs, POLL_MS));
  return {
    reserve() {
      if (sessions.size + reserved.size >= maxSessions) {
        const idle = [...sessions].filter(([, session]) => isIdle(session));
        const [oldest] = idle.sort(([, a], [, b]) => a.lastUsed - b.lastUsed);
        if (oldest === undefined) return null;
        void end(oldest[0]);
      }
      const release = () => void reserved.delete(release);
      reserved.add(release);
      return release;
    },
    add(id, session) {
      sessions.set(id, session);
      // The session began while the table was being closed; nothing else would end it.
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
