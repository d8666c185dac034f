/** Opens the terminal of an attempt's screen on request; its code is loaded then. */
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { part } from "../../ui/loaded/part.tsx";
import { lookQuery } from "../attempts/situation.ts";
import { focusTerminal } from "./terminal-state.ts";

const TerminalPanel = part(async () => (await import("./terminal-panel.tsx")).default);

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
    panel: isOpen && <TerminalPanel attempt={attempt} onLeave={left} onClose={close} />,
  };
}
