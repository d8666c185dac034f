/** Loads the list of all keys when it is first asked for. */
import { lazy, Suspense } from "react";
import { loadPart } from "../../data/load-part.ts";
import { useLoaded } from "../../ui/loaded/use-loaded.ts";

export const loadAllKeys = () => loadPart(() => import("./all-keys.tsx"));
const AllKeys = lazy(async () => ({ default: (await loadAllKeys()).AllKeys }));

export function KeysDoor({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const isLoaded = useLoaded(open, loadAllKeys, onClose);
  return isLoaded ? (
    <Suspense>
      <AllKeys open={open} onClose={onClose} />
    </Suspense>
  ) : null;
}
