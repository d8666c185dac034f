/** Tells the palette to open, from wherever that is asked for. */

export const OPEN_PALETTE = "tazuna:palette";

export function openPalette(): void {
  dispatchEvent(new Event(OPEN_PALETTE));
}
