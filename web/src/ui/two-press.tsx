/** Asks for a second press within three seconds before an act that reaches beyond this machine. */
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, type ButtonProps } from "./button.tsx";

const ARMED_MS = 3_000;

/** `press` acts at the second call within three seconds; a key may call it too. */
export function useTwoPress(act: () => void): { readonly isArmed: boolean; readonly press: () => void } {
  const [isArmed, setArmed] = useState(false);
  useEffect(() => {
    if (!isArmed) return;
    const timer = setTimeout(() => setArmed(false), ARMED_MS);
    return () => clearTimeout(timer);
  }, [isArmed]);
  return {
    isArmed,
    press: () => {
      setArmed(!isArmed);
      if (isArmed) act();
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
    <Button {...rest} onClick={press}>
      {isArmed ? t("pressAgain", { what: words }) : words}
    </Button>
  );
}
