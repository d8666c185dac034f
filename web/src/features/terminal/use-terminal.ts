/** Keeps a terminal in its place on the page as long as that is shown. */
import { followTerminal } from "@contract/client/follow-events.ts";
import { type RefObject, useEffect, useRef, useState } from "react";
import { api, caller } from "../../data/api.ts";
import { usePreferences } from "../../data/preferences.ts";
import { useMedia } from "../../ui/use-media.ts";
import { connectTerminal, type TerminalEnd } from "./connect-terminal.ts";
import { leavesTerminal } from "./leave-key.ts";
import { screenIn, type TerminalScreen } from "./screen-of.ts";

interface ShownTerminal {
  readonly place: RefObject<HTMLDivElement | null>;
  /** Null while its shell works. */
  readonly end: TerminalEnd | null;
  focus(): void;
}

/** `onLeave`: the person wants out of it; every other key is the shell's. */
export function useTerminal(attempt: string, { onLeave }: { readonly onLeave: () => void }): ShownTerminal {
  const place = useRef<HTMLDivElement>(null);
  const screen = useRef<TerminalScreen | null>(null);
  const leave = useRef(onLeave);
  leave.current = onLeave;
  const [end, setEnd] = useState<TerminalEnd | null>(null);
  const { codeSize, theme } = usePreferences();
  const isDark = useMedia("(prefers-color-scheme: dark)");
  const fontSize = useRef(codeSize);
  useEffect(() => {
    if (place.current === null) return;
    const shown = screenIn(place.current, { fontSize: fontSize.current });
    screen.current = shown;
    const { terminal } = shown;
    terminal.attachCustomKeyEventHandler((event) => {
      const leaves = leavesTerminal(event);
      if (leaves && event.type === "keydown") leave.current();
      return !leaves;
    });
    const connection = connectTerminal({
      api: { ...api, followTerminal: (id, options) => followTerminal(caller, id, options) },
      attempt,
      size: shown.fit(),
      // A program that prints faster than this page draws has to wait.
      onOutput: (bytes) => new Promise((drawn) => terminal.write(bytes, drawn)),
      onEnd: setEnd,
    });
    terminal.onData(connection.type);
    const sizes = new ResizeObserver(() => connection.resize(shown.fit()));
    sizes.observe(place.current);
    terminal.focus();
    return () => {
      sizes.disconnect();
      connection.close();
      terminal.dispose();
      screen.current = null;
    };
  }, [attempt]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: both change the colours of the page.
  useEffect(() => screen.current?.paint(), [theme, isDark]);
  return { place, end, focus: () => screen.current?.terminal.focus() };
}
