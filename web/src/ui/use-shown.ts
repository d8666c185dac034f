/** Tells whether a part of the page is still there: an answer may come when its person is elsewhere. */
import { useEffect, useRef } from "react";

/** `of` is what the part is about; about something else it counts as gone. */
export function useShown(of = ""): () => boolean {
  const shown = useRef<string | null>(of);
  useEffect(() => {
    shown.current = of;
    return () => {
      shown.current = null;
    };
  }, [of]);
  return () => shown.current === of;
}
