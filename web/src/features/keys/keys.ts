/** Gives keys their meaning: screens add layers of keys, and the newest layer that knows a key acts. */
import { useEffect, useRef, useSyncExternalStore } from "react";
import { preferences } from "../../data/preferences.ts";

export interface KeyBinding {
  /** `j`, `M` (with shift), `mod+k`, `enter`, or a sequence such as `g f`. */
  readonly spec: string;
  /** What it does, in a word or two. */
  readonly words: string;
  readonly run: (event: KeyboardEvent) => void;
  /** Shown in the key bar; all are in the list of keys. */
  readonly inBar?: boolean;
  /** Acts in a text box too. */
  readonly whileTyping?: boolean;
}

type Layer = { readonly bindings: () => readonly KeyBinding[] };

const layers: Layer[] = [];
const listeners = new Set<() => void>();
let shown: readonly KeyBinding[] = [];
let begun: string | null = null;
let begunTimer: ReturnType<typeof setTimeout> | undefined;

const SEQUENCE_MS = 1_200;

/**
 * The bindings hold as long as the component is shown; those of a later one go first. Those of the frame go last, also
 * if it is shown together with its first screen.
 */
export function useKeys(bindings: readonly KeyBinding[], { isFrame = false } = {}): void {
  const held = useRef(bindings);
  held.current = bindings;
  const names = bindings.map(({ spec, words, inBar }) => `${spec} ${words} ${inBar}`).join("\n");
  useEffect(() => {
    const layer: Layer = { bindings: () => held.current };
    if (isFrame) layers.unshift(layer);
    else layers.push(layer);
    tell();
    return () => {
      layers.splice(layers.indexOf(layer), 1);
      tell();
    };
  }, [isFrame]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names stand for the bindings.
  useEffect(tell, [names]);
}

/** Every binding that holds now, the newest first, each key once. */
export function useActiveKeys(): readonly KeyBinding[] {
  return useSyncExternalStore(
    (listen) => {
      listeners.add(listen);
      return () => listeners.delete(listen);
    },
    () => shown,
  );
}

function tell(): void {
  const all = layers.toReversed().flatMap((layer) => layer.bindings());
  shown = all.filter(({ spec }, index) => all.findIndex((other) => other.spec === spec) === index);
  for (const listen of listeners) listen();
}

/** Handles the keys of the whole page; call it once. */
export function listenToKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const binding = bindingFor(event);
    if (binding === null) return;
    event.preventDefault();
    // A key that is held down walks on; it neither acts again nor presses a second time.
    if (!event.repeat || WALKS.has(binding.spec)) binding.run(event);
  });
}

const WALKS: ReadonlySet<string> = new Set(["j", "k", "h", "l", "[", "]", "{", "}", "m"]);

function bindingFor(event: KeyboardEvent): KeyBinding | null {
  const chord = chordOf(event);
  if (chord === null) return null;
  const all = layers.toReversed().flatMap((layer) => layer.bindings());
  const typing = isTyping(event.target);
  const isSingle = !chord.startsWith("mod+");
  const usable = all.filter(
    (binding) =>
      (!typing || binding.whileTyping === true) &&
      (!isSingle || binding.whileTyping === true || preferences().singleKeys || isControl(chord)),
  );
  const sequence = begun === null ? null : `${begun} ${chord}`;
  begun = null;
  clearTimeout(begunTimer);
  const found = usable.find(({ spec }) => spec === sequence) ?? usable.find(({ spec }) => spec === chord);
  if (found !== undefined) return isPressedAnyway(event, chord) ? null : found;
  if (usable.some(({ spec }) => spec.startsWith(`${chord} `))) {
    begun = chord;
    begunTimer = setTimeout(() => {
      begun = null;
    }, SEQUENCE_MS);
  }
  return null;
}

/** Enter on a button or link presses that. */
function isPressedAnyway({ target }: KeyboardEvent, chord: string): boolean {
  return (
    chord === "enter" &&
    target instanceof HTMLElement &&
    target.closest("button, a[href], [role=menuitem], [role=option]") !== null
  );
}

const isControl = (chord: string) => chord === "enter" || chord === "escape";

const NAMES: Readonly<Record<string, string>> = {
  Enter: "enter",
  Escape: "escape",
  Backspace: "backspace",
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
  Tab: "tab",
};

function chordOf({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string | null {
  if (key === "Shift" || key === "Control" || key === "Alt" || key === "Meta") return null;
  // With alt, some keyboards write a sign in place of the digit.
  const digit = altKey ? /^Digit(\d)$/.exec(code)?.[1] : undefined;
  const name = digit ?? NAMES[key] ?? key;
  const shift = shiftKey && NAMES[key] !== undefined ? "shift+" : "";
  return `${ctrlKey || metaKey ? "mod+" : ""}${altKey ? "alt+" : ""}${shift}${name}`;
}

/** Single keys are off while typing; `escape` leaves the field first. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (
    target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  )
    return true;
  return target instanceof HTMLInputElement && !["checkbox", "radio", "button"].includes(target.type);
}
