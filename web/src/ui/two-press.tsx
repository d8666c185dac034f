/** Asks for a second press within three seconds before an act that reaches beyond this machine. */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "../i18n/use-translation.tsx";
import { Button, type ButtonProps } from "./button.tsx";

const ARMED_MS = 3_000;

/** `press` acts at the second call within three seconds; a key may call it too. */
export function useTwoPress(act: () => void): { readonly isArmed: boolean; readonly press: () => void } {
  const [isArmed, setArmed] = useState(false);
  // A second press may come before the first one is drawn.
  const armed = useRef(isArmed);
  useEffect(() => {
    if (!isArmed) return;
    const timer = setTimeout(() => {
      armed.current = false;
      setArmed(false);
    }, ARMED_MS);
    return () => clearTimeout(timer);
  }, [isArmed]);
  return {
    isArmed,
    press: () => {
      const acts = armed.current;
      armed.current = !acts;
      setArmed(!acts);
      if (acts) act();
    },
  };
}

export function TwoPressButton({
  words,
  press,
  isArmed,
  ...rest
}: Omit<ButtonProps, "children" | "onClick"> & {
  readonly words: string;
  readonly press: () => void;
  readonly isArmed: boolean;
}) {
  const { t } = useTranslation("shell");
  return (
    // A double click is one press, since nobody reads the words in between; so is Enter that is held down.
    <Button
      {...rest}
      onClick={({ detail }) => detail <= 1 && press()}
      onKeyDown={(event) => event.repeat && event.preventDefault()}
    >
      {isArmed ? t("pressAgain", { what: words }) : words}
    </Button>
  );
}
