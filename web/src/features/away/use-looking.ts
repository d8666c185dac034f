/** Remembers when this device looked last, whichever screen it showed. */
import { useEffect } from "react";
import { setPreferences } from "../../data/preferences.ts";

/** Looking ends when the page is hidden or left. */
export function useLooking(): void {
  useEffect(() => {
    const leave = () => setPreferences({ lookedAt: new Date().toISOString() });
    const note = () => document.hidden && leave();
    document.addEventListener("visibilitychange", note);
    addEventListener("pagehide", leave);
    return () => {
      document.removeEventListener("visibilitychange", note);
      removeEventListener("pagehide", leave);
    };
  }, []);
}
