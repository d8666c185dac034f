/** Shows lines that patches leave out: those that a person asks for, and those around comments. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { tellProblem } from "../../ui/toast.tsx";
import type { Annotated } from "./bodies.ts";
import { gapAbove, hiddenLine, linesOfGap, type Which, withLines } from "./patch/more-lines.ts";
import type { FilePatch } from "./patch/read-patch.ts";
import { type DiffSource, patchQuery, readLines } from "./patch/source.ts";
import type { Loaded, Patches } from "./use-patches.ts";

/** Where lines are left out, and which of them to show. */
interface Asked {
  readonly path: string;
  /** The hunk below them. */
  readonly hunk: number;
  readonly which: Which;
}

interface Shown {
  readonly patch: FilePatch;
  readonly from: number;
  readonly to: number;
}

/** A patch, and the same one with the lines that were asked for. */
type Grown = ReadonlyMap<Loaded, Loaded>;

export function useMoreLines(source: DiffSource, patches: Patches, annotations: readonly Annotated[]) {
  const client = useQueryClient();
  const [grown, setGrown] = useState<Grown>(new Map());
  const latest = useRef({ patches, grown });
  latest.current = { patches, grown };
  const reading = useRef(new Set<string>());
  const read = async (path: string, range: { readonly from: number; readonly to: number }) => {
    const loaded = latest.current.patches.get(path);
    if (loaded?.kind !== "patch" || reading.current.has(path)) return null;
    reading.current.add(path);
    try {
      const answer = await readLines(source, { path, ...range });
      // The file was changed since, so that its patch is another one too.
      if (loaded.patch.blob !== null && !answer.sha.startsWith(loaded.patch.blob)) {
        void client.invalidateQueries({ queryKey: patchQuery(source, path).queryKey });
        return null;
      }
      const before = latest.current.grown.get(loaded) ?? loaded;
      if (before.kind !== "patch") return null;
      const patch = withLines(before.patch, { ...answer, from: range.from });
      const next: Loaded = { kind: "patch", patch };
      latest.current.grown = kept(latest.current.grown, latest.current.patches).set(loaded, next);
      setGrown(latest.current.grown);
      return { patch, from: range.from, to: range.from + answer.lines.length - 1 };
    } catch (error) {
      tellProblem(error);
      return null;
    } finally {
      reading.current.delete(path);
    }
  };
  const shown = useMemo(() => withGrown(patches, grown), [patches, grown]);
  useAroundComments({ shown, annotations, read });
  const more = async ({ path, hunk, which }: Asked): Promise<Shown | null> => {
    const loaded = shown.get(path);
    const gap = loaded?.kind === "patch" ? gapAbove(loaded.patch, hunk) : null;
    return gap === null ? null : read(path, linesOfGap(gap, which));
  };
  return { patches: shown, more };
}

function withGrown(patches: Patches, grown: Grown): Patches {
  if (grown.size === 0) return patches;
  return new Map([...patches].map(([path, loaded]) => [path, grown.get(loaded) ?? loaded]));
}

/** Patches that are not there any more are forgotten. */
function kept(grown: Grown, patches: Patches): Map<Loaded, Loaded> {
  const now = new Set(patches.values());
  return new Map([...grown].filter(([loaded]) => now.has(loaded)));
}

/** Lines above and below a commented line that come with it. */
const AROUND = 3;

/** A comment on a line that is left out stands at its line nevertheless. */
function useAroundComments(of: {
  readonly shown: Patches;
  readonly annotations: readonly Annotated[];
  readonly read: (path: string, range: { readonly from: number; readonly to: number }) => Promise<unknown>;
}): void {
  const { shown, annotations, read } = of;
  const tried = useRef(new WeakMap<FilePatch, Set<string>>());
  useEffect(() => {
    for (const { key, path, side, line } of annotations) {
      const loaded = shown.get(path);
      if (loaded?.kind !== "patch" || line === null) continue;
      const at = hiddenLine(loaded.patch, { side, line });
      const before = tried.current.get(loaded.patch) ?? new Set();
      if (at === null || before.has(key)) continue;
      tried.current.set(loaded.patch, before.add(key));
      void read(path, aroundLine(loaded.patch, at));
    }
  });
}

function aroundLine(patch: FilePatch, at: number) {
  for (let index = 0; index <= patch.hunks.length; index += 1) {
    const gap = gapAbove(patch, index);
    if (gap === null || at < gap.from || (gap.to !== null && at >= gap.to)) continue;
    const last = gap.to === null ? at + AROUND : Math.min(gap.to - 1, at + AROUND);
    return { from: Math.max(gap.from, at - AROUND), to: last };
  }
  return { from: at, to: at };
}
