/** Gives keys their meaning: screens add layers of keys, and the newest layer that knows a key acts. */

import { useEffect, useRef, useSyncExternalStore } from "react";
import { chordOf, isTyped } from "../../data/keys/chord.ts";
import { isComposing } from "../../data/keys/composing.ts";
import { keyOf } from "../../data/keys/key-of.ts";
import type { KeySpec } from "../../data/keys/key-table.ts";
import { type Act, useWhyNot } from "../../data/may.ts";
import { onPreferences, preferences } from "../../data/preferences.ts";

export interface KeyBinding {
  /** The key of the table. A person may have chosen another one for the same. */
  readonly spec: KeySpec;
  /** What it does, in a word or two. */
  readonly words: string;
  readonly run: (event: KeyboardEvent) => void;
  /** What it asks of the server. Who may not do that has no such key. */
  readonly asks?: Act;
  /** Shown in the key bar; all are in the list of keys. */
  readonly inBar?: boolean;
  /** Acts in a text box too, unless it is a sign that a person types. */
  readonly whileTyping?: boolean;
  /** Only then; it stands for a moment's meaning of a key that another binding of the list explains. */
  readonly when?: () => boolean;
  /** Acts also while a dialog or a menu is open. */
  readonly inDialogs?: boolean;
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
  const whyNot = useWhyNot();
  const own = bindings.filter(({ asks }) => asks === undefined || whyNot(asks) === null);
  const held = useRef(own);
  held.current = own;
  const names = own.map(({ spec, words, inBar }) => `${spec} ${words} ${inBar}`).join("\n");
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
  const all = layers
    .toReversed()
    .flatMap((layer) => layer.bindings())
    .filter(({ when }) => when === undefined);
  shown = all.filter(
    ({ spec }, index) => keyOf(spec) !== null && all.findIndex((other) => other.spec === spec) === index,
  );
  for (const listen of listeners) listen();
}

/** Handles the keys of the whole page; call it once. */
export function listenToKeys(): void {
  onPreferences(tell);
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || isComposing(event)) return;
    const binding = bindingFor(event);
    if (binding === null) return;
    event.preventDefault();
    // A key that is held down walks on; it neither acts again nor presses a second time.
    if (!event.repeat || WALKS.has(binding.spec)) binding.run(event);
  });
}

const WALKS: ReadonlySet<string> = new Set(["j", "k", "J", "K", "h", "l", "[", "]", "{", "}", "m"]);

function bindingFor(event: KeyboardEvent): KeyBinding | null {
  const chord = chordOf(event);
  if (chord === null) return null;
  const usable = layers
    .toReversed()
    .flatMap((layer) => layer.bindings())
    // What holds for the moment alone goes first.
    .toSorted((one, other) => Number(other.when !== undefined) - Number(one.when !== undefined))
    .flatMap((binding) => {
      const key = keyOf(binding.spec);
      return key !== null && isUsable(event, binding, key) ? [{ binding, key }] : [];
    });
  const sequence = begun === null ? null : `${begun} ${chord}`;
  begun = null;
  clearTimeout(begunTimer);
  const second = usable.find(({ key }) => key === sequence);
  const found = second ?? usable.find(({ key }) => key === chord);
  if (second === undefined && usable.some(({ key }) => key.startsWith(`${chord} `))) {
    begun = chord;
    begunTimer = setTimeout(() => {
      begun = null;
    }, SEQUENCE_MS);
  }
  return found === undefined || isPressedAnyway(event, chord) ? null : found.binding;
}

function isUsable({ target }: KeyboardEvent, binding: KeyBinding, key: string): boolean {
  if (binding.when?.() === false) return false;
  if (isTyping(target) && (binding.whileTyping !== true || isTyped(key))) return false;
  if (isTyped(key) && !preferences().singleKeys) return false;
  const isOver = target instanceof HTMLElement && target.closest("[data-over]") !== null;
  return !isOver || binding.inDialogs === true;
}

/** Enter on a button or link presses that. */
function isPressedAnyway({ target }: KeyboardEvent, chord: string): boolean {
  return (
    chord === "enter" &&
    target instanceof HTMLElement &&
    target.closest("button, a[href], [role=menuitem], [role=option]") !== null
  );
}

/** Single keys are off while typing; `escape` leaves the field first. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (
    target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  )
    return true;
  return target instanceof HTMLInputElement && !["checkbox", "radio", "button"].includes(target.type);
}
