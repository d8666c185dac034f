/** A terminal in the worktree of an attempt, at the bottom of its screen. */
import "@xterm/xterm/css/xterm.css";
import { SquareTerminal, X } from "lucide-react";
import { useEffect } from "react";
import { Refused } from "../../data/api.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { onFocusTerminal } from "./terminal-state.ts";
import { useTerminal } from "./use-terminal.ts";

export default function TerminalPanel(props: {
  readonly attempt: string;
  /** The terminal stays open, and the focus goes back to the screen. */
  readonly onLeave: () => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation("terminal");
  const { place, end, focus } = useTerminal(props.attempt, { onLeave: props.onLeave });
  useEffect(() => onFocusTerminal(focus));
  return (
    <section
      aria-label={t("title")}
      className="flex h-[38vh] min-h-40 flex-none flex-col border-t border-line bg-sunken"
    >
      <header className="flex h-8 flex-none items-center gap-2 border-b border-line px-3 text-small">
        <SquareTerminal size={14} aria-hidden="true" className="flex-none text-ink-3" />
        <h2 className="text-small font-medium">{t("title")}</h2>
        <span className="min-w-0 truncate text-fine text-ink-3">{t("reads")}</span>
        <span className="ml-auto flex flex-none items-center gap-1.5 text-fine text-ink-3 max-md:hidden">
          {t("leaves")}
        </span>
        <Button
          kind="quiet"
          size="small"
          className="max-md:ml-auto"
          label={t("close")}
          icon={<X size={14} aria-hidden="true" />}
          onClick={props.onClose}
        />
      </header>
      {end !== null && (
        <div className="flex flex-none flex-wrap items-center gap-2 border-b border-line px-3 py-1.5 text-small">
          {end.kind === "ended" ? (
            <span role="status">{t("ended")}</span>
          ) : (
            <ProblemNote error={new Refused(end.problem)} />
          )}
        </div>
      )}
      <div ref={place} className="min-h-0 flex-1 overflow-hidden px-3 py-1.5" />
    </section>
  );
}
