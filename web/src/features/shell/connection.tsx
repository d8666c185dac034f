/** Keeps the page's one live connection, and says when what is shown is not live any more. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";
import { answerOf, api } from "../../data/api.ts";
import { type Live, openLive } from "../../data/live.ts";
import { partsAgain } from "../../data/load-part.ts";
import { createFactTaker } from "../../data/take-facts.ts";

interface Connection {
  /** `starting` until the first connection; `down` for up to 15 s; then `offline`, since when. */
  readonly state: "starting" | "live" | "down" | "offline" | "signed_out" | "updated";
  /** UTC ISO; when it was lost. */
  readonly since: string | null;
  /** The version of the server, if the page is of another one. */
  readonly server: string | null;
  readonly again: () => void;
}

const STARTING = { state: "starting", since: null, server: null } as const;
const ConnectionContext = createContext<Connection>({ ...STARTING, again: () => undefined });
export const useConnection = () => useContext(ConnectionContext);

/** A break that is over before that is not worth a word. */
const QUIET_MS = 2_000;
const OFFLINE_MS = 15_000;
/** Without the stream by then, the page shows what it can. */
const FIRST_MS = 1_000;

type Now = Omit<Connection, "again">;

/** Nothing is read before the stream is open, so that a document and later facts miss nothing (ADR 0068). */
export function ConnectionProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [now, setNow] = useState<Now>(STARTING);
  const [isReady, setReady] = useState(false);
  const live = useRef<Live | null>(null);
  useEffect(() => {
    const first = createFirst(client, () => setReady(true));
    const teller = createTeller(setNow);
    const facts = createFactTaker(client);
    live.current = openLive((message) => {
      if (message.kind === "fact") return facts.take(message.fact);
      if (message.kind === "down") return teller.down();
      first.isOver();
      if (message.kind === "refused") return teller.refused(message.code);
      if (message.kind === "reset") void client.invalidateQueries();
      else facts.again();
      partsAgain();
      void teller.open();
    });
    return teller.stop;
  }, [client]);
  const value = useMemo(() => ({ ...now, again: () => live.current?.again() }), [now]);
  return <ConnectionContext value={value}>{isReady && children}</ConnectionContext>;
}

/** Lets the page begin once the stream is open. What it read before, if that took too long, is read again. */
function createFirst(client: QueryClient, begin: () => void) {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    begin();
  }, FIRST_MS);
  return {
    isOver: () => {
      clearTimeout(timer);
      if (isLate) void client.invalidateQueries();
      isLate = false;
      begin();
    },
  };
}

/** Says how the connection is. A short break is not told. */
function createTeller(tell: (now: Now) => void) {
  let isDown = true;
  let timers: ReturnType<typeof setTimeout>[] = [];
  const stop = () => {
    for (const timer of timers) clearTimeout(timer);
    timers = [];
  };
  return {
    stop,
    down: () => {
      if (isDown && timers.length > 0) return;
      isDown = true;
      const since = new Date().toISOString();
      const say = (state: "down" | "offline") => () => tell({ state, since, server: null });
      timers = [setTimeout(say("down"), QUIET_MS), setTimeout(say("offline"), OFFLINE_MS)];
    },
    open: async () => {
      isDown = false;
      stop();
      const health = await answerOf(api.health()).catch(() => null);
      if (isDown) return;
      const isOther = health !== null && health.version !== __VERSION__;
      tell({ ...STARTING, state: isOther ? "updated" : "live", server: isOther ? health.version : null });
    },
    refused: (code: string) => {
      isDown = true;
      stop();
      const state = code === "token_required" ? "signed_out" : "offline";
      tell({ state, since: new Date().toISOString(), server: null });
    },
  };
}
