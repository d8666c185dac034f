/** Says which key of this device does what, and whether it was pressed. */
import { preferences } from "../preferences.ts";
import { chordOf } from "./chord.ts";
import { KEYS, type KeySpec } from "./key-table.ts";
import { keyIn } from "./own-keys.ts";

/** Null if a person wants no key for it. */
export function keyOf(spec: KeySpec): string | null {
  return "isFixed" in KEYS[spec] ? spec : keyIn(preferences().ownKeys, spec);
}

/** For boxes that look at what is pressed in them. */
export function isPressed(event: Parameters<typeof chordOf>[0], spec: KeySpec): boolean {
  const key = keyOf(spec);
  return key !== null && chordOf(event) === key;
}
