/** Listens for the key that a person wants: one, or two after each other. */
import { useEffect, useRef, useState } from "react";
import { chordOf } from "../../data/keys/chord.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { Caps } from "../../ui/key-cap.tsx";

/** A second key has to follow the first one within this time. */
const SECOND_MS = 1_000;

/** Null: the person left it. */
export function KeyRecorder({ onKey }: { readonly onKey: (key: string | null) => void }) {
  const { t } = useTranslation("settings");
  const button = useRef<HTMLButtonElement>(null);
  const [first, setFirst] = useState<string | null>(null);
  const tell = useRef(onKey);
  tell.current = onKey;
  useEffect(() => button.current?.focus(), []);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const chord = chordOf(event);
      if (chord === "tab" || chord === "shift+tab") return tell.current(null);
      event.preventDefault();
      event.stopPropagation();
      // A key that is held down is one key.
      if (chord === null || event.repeat) return;
      if (chord === "escape") tell.current(null);
      else if (first === null) setFirst(chord);
      else tell.current(`${first} ${chord}`);
    };
    addEventListener("keydown", listen, { capture: true });
    const timer = first === null ? undefined : setTimeout(() => tell.current(first), SECOND_MS);
    return () => {
      removeEventListener("keydown", listen, { capture: true });
      clearTimeout(timer);
    };
  }, [first]);
  return (
    <Button ref={button} size="small" kind="primary" onClick={() => onKey(null)}>
      {first === null ? t("pressKey") : <Caps of={first} />}
    </Button>
  );
}
