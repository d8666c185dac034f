/** Shows a key as the keyboard of this platform has it. */
import { keyOf } from "../data/keys/key-of.ts";
import type { KeySpec } from "../data/keys/key-table.ts";
import { usePreferences } from "../data/preferences.ts";

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform);
const GLYPHS: Readonly<Record<string, string>> = {
  mod: IS_MAC ? "⌘" : "Ctrl",
  enter: "↵",
  escape: "esc",
  backspace: "⌫",
  shift: "⇧",
  alt: IS_MAC ? "⌥" : "Alt",
  left: "←",
  right: "→",
  up: "↑",
  down: "↓",
};

/** The key that does this on this device: that of the table, or one that a person chose. Nothing if there is none. */
export function KeyCap({ spec }: { readonly spec: KeySpec | null }) {
  usePreferences();
  const key = spec === null ? null : keyOf(spec);
  return key === null ? null : <Caps of={key} />;
}

/** Any key, whatever it does. */
export function Caps({ of }: { readonly of: string }) {
  const caps = capsOf(of);
  return (
    <span className="inline-flex gap-[3px] pointer-coarse:hidden" aria-hidden="true">
      {caps.map((cap, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the caps of a key never change their order.
        <kbd key={index} className="key-cap">
          {cap}
        </kbd>
      ))}
    </span>
  );
}

function capsOf(key: string): readonly string[] {
  return key
    .split(/ (?=.)/)
    .flatMap((chord) => chord.split(/\+(?=.)/))
    .flatMap((part) =>
      /^[A-Z]$/.test(part) ? ["⇧", part] : part === "|" ? ["⇧", "\\"] : [GLYPHS[part] ?? part],
    );
}
