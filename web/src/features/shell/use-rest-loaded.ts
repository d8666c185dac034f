/** Loads what stands over a page once the first screen is shown. So it is there without a connection too. */
import { useEffect } from "react";
import { loadDialog } from "../../ui/dialog.tsx";
import { loadMenu } from "../../ui/menu.tsx";
import { loadToasts } from "../../ui/toast.tsx";
import { loadAllKeys } from "../keys/keys-door.tsx";

const loadHints = async () => (await import("../../ui/over/hints.tsx")).loadHints();
const LATE_MS = 1_000;

export function useRestLoaded(isScreenShown: boolean): void {
  useEffect(() => {
    if (!isScreenShown) return;
    const load = () => {
      for (const part of [loadToasts, loadHints, loadMenu, loadDialog, loadAllKeys])
        part().catch(() => undefined);
    };
    if ("requestIdleCallback" in globalThis) requestIdleCallback(load, { timeout: LATE_MS });
    else setTimeout(load, LATE_MS);
  }, [isScreenShown]);
}
