/** Asks the worker for the colours of a file's lines, once for each hunk. */
import { useEffect, useMemo, useState } from "react";
import type { FilePatch, Hunk } from "../patch/read-patch.ts";
import { languageOf } from "./language-of.ts";
import type { Coloured, ColourRequest, LineColours } from "./messages.ts";

/** The colours of both sides of a hunk, line by line. */
interface HunkColours {
  readonly old: readonly LineColours[];
  readonly new: readonly LineColours[];
}

/** Code that is longer stays plain: nobody reads that much, and colours cost memory. */
const MAX_CHARACTERS = 400_000;

/** By hunk, since more lines come into a patch as hunks of their own. */
const known = new WeakMap<Hunk, HunkColours>();
const asked = new WeakMap<Hunk, Promise<void>>();
const waiting = new Map<number, (lines: Coloured["lines"]) => void>();
let worker: Worker | null = null;
let lastId = 0;

/** Colours of each hunk, as far as they are there. */
export type PatchColours = readonly (HunkColours | undefined)[];

export function useColours(patch: FilePatch | null, path: string): PatchColours {
  const [done, setDone] = useState(0);
  useEffect(() => {
    if (patch === null) return;
    let isWanted = true;
    void askColours(patch, path)?.then(() => isWanted && setDone((count) => count + 1));
    return () => {
      isWanted = false;
    };
  }, [patch, path]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when more is done, more is known.
  return useMemo(() => patch?.hunks.map((hunk) => known.get(hunk)) ?? [], [patch, done]);
}

/** Null if there is nothing to wait for. */
function askColours(patch: FilePatch, path: string): Promise<unknown> | null {
  const language = languageOf(path);
  if (language === null) return null;
  const sizes = patch.hunks.flatMap((hunk) => [...hunk.old, ...hunk.new].map(({ length }) => length + 1));
  if (sizes.reduce((sum, length) => sum + length, 0) > MAX_CHARACTERS) return null;
  const fresh = patch.hunks.filter((hunk) => !asked.has(hunk));
  if (fresh.length > 0) {
    const texts = fresh.flatMap((hunk) => [hunk.old.join("\n"), hunk.new.join("\n")]);
    const answer = ask({ language, texts }).then((lines) => {
      for (const [index, hunk] of fresh.entries())
        known.set(hunk, { old: lines[index * 2] ?? [], new: lines[index * 2 + 1] ?? [] });
    });
    for (const hunk of fresh) asked.set(hunk, answer);
  }
  return Promise.all(patch.hunks.map((hunk) => (known.has(hunk) ? null : asked.get(hunk))));
}

function ask(request: Omit<ColourRequest, "id">): Promise<Coloured["lines"]> {
  lastId += 1;
  const id = lastId;
  const answer = new Promise<Coloured["lines"]>((resolve) => waiting.set(id, resolve));
  const message: ColourRequest = { id, ...request };
  theWorker().postMessage(message);
  return answer;
}

function theWorker(): Worker {
  if (worker !== null) return worker;
  worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }: MessageEvent<Coloured>) => {
    waiting.get(data.id)?.(data.lines);
    waiting.delete(data.id);
  };
  return worker;
}
