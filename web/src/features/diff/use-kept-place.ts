/** Keeps what is in sight where it is when something above it gets another height. */

import type { DiffFile } from "@contract/endpoints/attempts.ts";
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { indexAt, type Placed } from "./layout.ts";

export function useKeptPlace(
  box: RefObject<HTMLElement | null>,
  placed: readonly Placed[],
  files: readonly DiffFile[],
): void {
  const kept = useRef<{ readonly path: string; readonly offset: number } | null>(null);
  const latest = useRef({ placed, files });
  useLayoutEffect(() => {
    latest.current = { placed, files };
    const element = box.current;
    if (element === null || kept.current === null || element.scrollTop === 0) return;
    const { path, offset } = kept.current;
    const index = files.findIndex((file) => file.path === path);
    const top = placed[index]?.top;
    if (top !== undefined && Math.abs(top + offset - element.scrollTop) > 1) element.scrollTop = top + offset;
  }, [box, placed, files]);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const note = () => {
      const { placed: places, files: all } = latest.current;
      const at = places[indexAt(places, element.scrollTop)];
      const path = at === undefined ? undefined : all[at.index]?.path;
      kept.current =
        at === undefined || path === undefined ? null : { path, offset: element.scrollTop - at.top };
    };
    element.addEventListener("scroll", note, { passive: true });
    return () => element.removeEventListener("scroll", note);
  }, [box]);
}
