/** Loads the patches of the files in sight, and keeps those that were seen before for their heights. */
import { useQueries } from "@tanstack/react-query";
import { useRef } from "react";
import { type FilePatch, MAX_UNASKED, type PatchAnswer, readPatch } from "./patch/read-patch.ts";
import { type DiffSource, patchQuery, sourceKey } from "./patch/source.ts";

export type Loaded =
  | { readonly kind: "patch"; readonly patch: FilePatch }
  /** It is longer than its number of lines let one think. */
  | { readonly kind: "long"; readonly bytes: number }
  | { readonly kind: "error"; readonly error: unknown };

export type Patches = ReadonlyMap<string, Loaded>;

interface Held {
  readonly key: string;
  readonly patches: Patches;
}

const NO_PATCHES: Held = { key: "", patches: new Map() };

export function usePatches(
  source: DiffSource,
  { wanted, asked }: { readonly wanted: readonly string[]; readonly asked: ReadonlySet<string> },
): Patches {
  const held = useRef(NO_PATCHES);
  const key = sourceKey(source);
  const results = useQueries({ queries: wanted.map((path) => patchQuery(source, path)) });
  const before = held.current.key === key ? held.current.patches : NO_PATCHES.patches;
  let next: Map<string, Loaded> | null = null;
  results.forEach(({ data, error }, index) => {
    const path = wanted[index] ?? "";
    const loaded = data == null ? failed(before.get(path), error) : loadedOf(data, asked.has(path));
    if (loaded === null || isSame(loaded, before.get(path))) return;
    next ??= new Map(before);
    next.set(path, loaded);
  });
  if (next !== null || held.current.key !== key) held.current = { key, patches: next ?? before };
  return held.current.patches;
}

function failed(before: Loaded | undefined, error: unknown): Loaded | null {
  if (error === null) return null;
  return before?.kind === "error" && before.error === error ? before : { kind: "error", error };
}

const read = new WeakMap<PatchAnswer, FilePatch>();

function loadedOf(answer: PatchAnswer, isAsked: boolean): Loaded {
  const bytes = answer.truncated?.bytes ?? answer.patch.length;
  if (bytes > MAX_UNASKED && !isAsked) return { kind: "long", bytes };
  const patch = read.get(answer) ?? readPatch(answer);
  read.set(answer, patch);
  return { kind: "patch", patch };
}

function isSame(one: Loaded, other: Loaded | undefined): boolean {
  if (one === other) return true;
  if (one.kind === "patch") return other?.kind === "patch" && other.patch === one.patch;
  return one.kind === "long" && other?.kind === "long" && other.bytes === one.bytes;
}
