/** Keeps the page's one live connection, and says when what is shown is not live any more. */
import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";
import { answerOf, api } from "../../data/api.ts";
import { type Live, openLive } from "../../data/live.ts";
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

export function ConnectionProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [now, setNow] = useState<Omit<Connection, "again">>(STARTING);
  const live = useRef<Live | null>(null);
  useEffect(() => {
    const takeFact = createFactTaker(client);
    let timers: ReturnType<typeof setTimeout>[] = [];
    let isDown = true;
    const clear = () => {
      for (const timer of timers) clearTimeout(timer);
      timers = [];
    };
    const down = () => {
      if (isDown && timers.length > 0) return;
      isDown = true;
      const since = new Date().toISOString();
      const say = (state: "down" | "offline") => () => setNow({ state, since, server: null });
      timers = [setTimeout(say("down"), QUIET_MS), setTimeout(say("offline"), OFFLINE_MS)];
    };
    const open = async () => {
      isDown = false;
      clear();
      const health = await answerOf(api.health()).catch(() => null);
      const isOther = health !== null && health.version !== __VERSION__;
      setNow(
        isOther
          ? { state: "updated", since: null, server: health.version }
          : { state: "live", since: null, server: null },
      );
    };
    live.current = openLive((message) => {
      if (message.kind === "fact") takeFact(message.fact);
      if (message.kind === "reset") void client.invalidateQueries();
      if (message.kind === "open" || message.kind === "reset") void open();
      if (message.kind === "down") down();
      if (message.kind === "refused") {
        clear();
        setNow({
          state: message.code === "token_required" ? "signed_out" : "offline",
          since: new Date().toISOString(),
          server: null,
        });
      }
    });
    return clear;
  }, [client]);
  const value = useMemo(() => ({ ...now, again: () => live.current?.again() }), [now]);
  return <ConnectionContext value={value}>{children}</ConnectionContext>;
}
