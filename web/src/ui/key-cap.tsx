/** Shows a key as the keyboard of this platform has it. */

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform);
const GLYPHS: Readonly<Record<string, string>> = {
  mod: IS_MAC ? "⌘" : "Ctrl",
  enter: "↵",
  escape: "esc",
  backspace: "⌫",
  shift: "⇧",
  alt: IS_MAC ? "⌥" : "Alt",
};

/** `spec` as `features/keys` writes it: `j`, `M` (with shift), `mod+k`, `g f`. */
export function KeyCap({ spec }: { readonly spec: string }) {
  return (
    <span className="inline-flex gap-[3px] pointer-coarse:hidden" aria-hidden="true">
      {capsOf(spec).map((cap) => (
        <kbd key={cap} className="key-cap">
          {cap}
        </kbd>
      ))}
    </span>
  );
}

function capsOf(spec: string): readonly string[] {
  return spec
    .split(" ")
    .flatMap((chord) => (chord.length > 1 ? chord.split("+") : [chord]))
    .flatMap((key) => (/^[A-Z]$/.test(key) ? ["⇧", key] : [GLYPHS[key] ?? key]));
}
