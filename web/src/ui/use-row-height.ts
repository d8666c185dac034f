/** The height of a row of a table: four pixels more if the person wants it comfortable, and enough for a finger. */
import { usePreferences } from "../data/preferences.ts";
import { useMedia } from "./use-media.ts";

const FINGER = 44;

export function useRowHeight(compact: number): number {
  const { density } = usePreferences();
  const height = density === "comfortable" ? compact + 4 : compact;
  return useMedia("(pointer: coarse)") ? Math.max(height, FINGER) : height;
}
