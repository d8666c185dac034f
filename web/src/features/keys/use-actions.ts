/** Finds the thing whose acts a menu shows: that with the focus by the key `.`, or the one under a press of the right button. */
import { useEffect, useState } from "react";
import { loadWords } from "../../i18n/i18n.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { useKeys } from "./keys.ts";

interface ActionsOf {
  /** Null while no menu is asked for. */
  readonly thing: HTMLElement | null;
  readonly close: () => void;
}

/** `things` is a selector. If none has the focus, the heading stands for the screen. */
export function useActions(things: string): ActionsOf {
  const { t } = useTranslation("keys");
  const [thing, setThing] = useState<HTMLElement | null>(null);
  useKeys([
    {
      spec: ".",
      words: t("actions"),
      inBar: true,
      run: () => {
        const focused = document.activeElement?.closest<HTMLElement>(things);
        // On what asks for leave, this key is "Always here".
        const always = focused?.querySelector<HTMLButtonElement>("[data-act=always]");
        if (always) return always.click();
        void loadWords("engine").then(() => setThing(focused ?? document.querySelector("h1")));
      },
    },
  ]);
  useEffect(() => {
    const ask = (event: MouseEvent) => {
      const pressed = event.target instanceof Element ? event.target : null;
      const found = pressed?.closest<HTMLElement>(things);
      // The browser has acts of its own for links, boxes and marked text.
      if (found == null || event.shiftKey || pressed?.closest("a, input, textarea, select, code")) return;
      if (getSelection()?.isCollapsed === false) return;
      event.preventDefault();
      found.focus();
      void loadWords("engine").then(() => setThing(found));
    };
    addEventListener("contextmenu", ask);
    return () => removeEventListener("contextmenu", ask);
  }, [things]);
  return { thing, close: () => setThing(null) };
}
