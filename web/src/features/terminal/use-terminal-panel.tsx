/** Opens the terminal of an attempt's screen on request; its code is loaded then. */
import { useQueryClient } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { loadPart } from "../../data/load-part.ts";
import { lookQuery } from "../attempts/situation.ts";
import { focusTerminal } from "./terminal-state.ts";

const TerminalPanel = lazy(() => loadPart(() => import("./terminal-panel.tsx")));

/**
 * It stands in no address: a link must not start a shell. `onLeft` puts the focus back; what was changed in the
 * terminal is looked at then.
 */
export function useTerminalPanel(
  attempt: string,
  onLeft: () => void,
): { readonly open: () => void; readonly panel: ReactNode } {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const left = () => {
    void client.invalidateQueries({ queryKey: lookQuery(attempt).queryKey });
    onLeft();
  };
  const close = () => {
    setOpen(false);
    left();
  };
  return {
    open: () => {
      setOpen(true);
      focusTerminal();
    },
    panel: isOpen && (
      <Suspense>
        <TerminalPanel attempt={attempt} onLeave={left} onClose={close} />
      </Suspense>
    ),
  };
}
