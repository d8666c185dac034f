/** The height of a row of a table: four pixels more if the person wants it comfortable. */
import { usePreferences } from "../data/preferences.ts";

export function useRowHeight(compact: number): number {
  return usePreferences().density === "comfortable" ? compact + 4 : compact;
}
