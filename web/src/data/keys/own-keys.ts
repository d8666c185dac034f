/** Settles which key does what, with the keys that a person chose, and says why a choice cannot be. */
import { KEY_SPECS, type KeySpec } from "./key-table.ts";

/** By the key of the table. Null: no key does it. */
export type OwnKeys = { readonly [Spec in KeySpec]?: string | null };

export function keyIn(own: OwnKeys, spec: KeySpec): string | null {
  const chosen = own[spec];
  return chosen === undefined ? spec : chosen;
}

type Refusal =
  /** It does something else already. */
  | { readonly kind: "taken"; readonly by: KeySpec }
  /** Enter, Escape and Tab belong to buttons, dialogs and boxes. */
  | { readonly kind: "fixed" }
  /** The browser keeps it, or does something of its own with it. */
  | { readonly kind: "browser" };

const FIXED = /^(?:shift\+)?(?:enter|escape|tab|space|left|right|up|down)$/;
const BROWSERS = /^mod\+(?:alt\+)?(?:shift\+)?[acflnpqrstvwxzACFLNPQRSTVWXZ0-9+=-]$/;

/** Why `spec` cannot get this key; null if it can. */
export function refusalOf(own: OwnKeys, spec: KeySpec, key: string): Refusal | null {
  if (key === spec) {
    const by = takenBy(own, spec, key);
    return by === null ? null : { kind: "taken", by };
  }
  const chords = key.split(/ (?=.)/);
  if (chords.some((chord) => FIXED.test(chord))) return { kind: "fixed" };
  if (chords.some((chord) => BROWSERS.test(chord))) return { kind: "browser" };
  const by = takenBy(own, spec, key);
  return by === null ? null : { kind: "taken", by };
}

/** The same key, or one with which the other begins: then one of them could not be told from the other. */
function takenBy(own: OwnKeys, spec: KeySpec, key: string): KeySpec | null {
  const clashes = (other: string) =>
    other === key || other.startsWith(`${key} `) || key.startsWith(`${other} `);
  const found = KEY_SPECS.find((each) => {
    const other = each === spec || areKin(each, spec) ? null : keyIn(own, each);
    return other !== null && clashes(other);
  });
  return found ?? null;
}

/** `?` shows the list, and pressed again it puts the key bar away: both act. */
const areKin = (one: KeySpec, other: KeySpec) => one.startsWith("?") && other.startsWith("?");

/** With this key for `spec`; the key of the table needs no entry. */
export function withKey(own: OwnKeys, spec: KeySpec, key: string | null): OwnKeys {
  const { [spec]: _, ...others } = own;
  return key === spec ? others : { ...others, [spec]: key };
}

/** What was kept, without what is no key of the table any more. */
export function knownKeys(kept: unknown): OwnKeys {
  if (typeof kept !== "object" || kept === null) return {};
  const entries = Object.entries(kept).filter(
    ([spec, key]) =>
      KEY_SPECS.includes(spec as KeySpec) && (key === null || (typeof key === "string" && key !== "")),
  );
  return Object.fromEntries(entries);
}
