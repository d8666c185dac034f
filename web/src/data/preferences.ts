/** Keeps what a person chose for this device: language, theme, density. Everything else is in the URL or on the server. */
import { useSyncExternalStore } from "react";
import { knownKeys, type OwnKeys } from "./keys/own-keys.ts";

interface Preferences {
  readonly language: "en" | "ja";
  /** `system` follows the operating system. */
  readonly theme: "system" | "light" | "dark";
  readonly density: "compact" | "comfortable";
  readonly keyBar: boolean;
  /** Single keys act; chords such as ⌘K always do. */
  readonly singleKeys: boolean;
  /** Keys that a person chose in place of those of the table. */
  readonly ownKeys: OwnKeys;
  /** Widths of panels in pixels, by screen and side, such as `attempt.left`. */
  readonly panels: Readonly<Record<string, number>>;
  /** Desktop notifications, once the browser allowed them. */
  readonly notifications: boolean;
  readonly codeSize: number;
  /** Sets of agents for a new task, by the id of each: how many, and which model. */
  readonly presets: readonly Readonly<Record<string, { readonly count: number; readonly model: string }>>[];
  /** When this device last looked at the board, UTC ISO; null before the first time. */
  readonly lookedAt: string | null;
}

const KEY = "tazuna";
const listeners = new Set<() => void>();
let current: Preferences = read();

export function preferences(): Preferences {
  return current;
}

export function setPreferences(change: Partial<Preferences>): void {
  current = { ...current, ...change };
  keepOnDevice(KEY, current);
  for (const tell of listeners) tell();
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(onPreferences, preferences);
}

export function onPreferences(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}

function read(): Preferences {
  const first: Preferences = {
    language: navigator.language.startsWith("ja") ? "ja" : "en",
    theme: "system",
    density: "compact",
    keyBar: true,
    singleKeys: true,
    ownKeys: {},
    panels: {},
    notifications: false,
    codeSize: 12,
    presets: [],
    lookedAt: null,
  };
  const kept = keptOnDevice(KEY) as Partial<Preferences> | null;
  return { ...first, ...kept, ownKeys: knownKeys(kept?.ownKeys) };
}

/** Anything as JSON. */
export function keepOnDevice(key: string, value: unknown): void {
  keepIn(() => localStorage, key, value);
}

/** Null if nothing is kept, or nothing that can be read. */
export function keptOnDevice(key: string): unknown {
  return keptIn(() => localStorage, key);
}

/** Of this tab alone, through reloads. */
export function keepInTab(key: string, value: unknown): void {
  keepIn(() => sessionStorage, key, value);
}

export function keptInTab(key: string): unknown {
  return keptIn(() => sessionStorage, key);
}

function keepIn(store: () => Storage, key: string, value: unknown): void {
  try {
    store().setItem(key, JSON.stringify(value));
  } catch {
    // A full or closed store costs only that it is asked for again.
  }
}

function keptIn(store: () => Storage, key: string): unknown {
  try {
    return JSON.parse(store().getItem(key) ?? "null");
  } catch {
    return null;
  }
}

addEventListener("storage", ({ key }) => {
  if (key !== KEY) return;
  current = read();
  for (const tell of listeners) tell();
});
