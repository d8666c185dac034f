/** Keeps the MCP sessions of one server, and ends those that nobody uses any more. */
import type { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { McpServer } from "./create-mcp-server.ts";

export interface Session {
  /** What it works on. */
  readonly scope: string;
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Whether the revision that it speaks has them. */
  batches: boolean;
  /** By the clock that only goes forward, in milliseconds. */
  lastUsed: number;
  /** Answers that are still being read. */
  open: number;
}

export interface SessionLimits {
  readonly most: number;
  /** Milliseconds without a request, an open stream or a call under way, after which a session ends. */
  readonly idleMs: number;
  /** Told of what went wrong where nobody waits for an answer. */
  readonly report: (error: unknown) => void;
}

export interface SessionTable {
  /**
   * Keeps a place for one that is about to begin; null where there is none, since all others are at work. What it answers
   * gives the place back, once it was added or has failed.
   */
  makeRoom(): (() => void) | null;
  add(id: string, session: Session): void;
  get(id: string): Session | undefined;
  /** Settles when its calls and services have ended. */
  end(id: string): Promise<void>;
  count(): number;
  close(): Promise<void>;
}

/** How often it is looked for idle ones. */
const LOOK_MS = 30_000;

export function createSessionTable({ most, idleMs, report }: SessionLimits): SessionTable {
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
      if (sessions.size + beginning.size >= most) {
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
      // Nobody would end one that began while the others were ended.
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
