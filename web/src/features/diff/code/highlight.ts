/** Asks the worker for the colours of a file's lines, once for each patch. */
import { useEffect, useState } from "react";
import type { FilePatch } from "../patch/read-patch.ts";
import { languageOf } from "./language-of.ts";
import type { Coloured, ColourRequest, LineColours } from "./messages.ts";

/** The colours of both sides of a hunk, line by line. */
export interface HunkColours {
  readonly old: readonly LineColours[];
  readonly new: readonly LineColours[];
}

/** Code that is longer stays plain: nobody reads that much, and colours cost memory. */
const MAX_CHARACTERS = 400_000;

const known = new WeakMap<FilePatch, Promise<readonly HunkColours[]>>();
const waiting = new Map<number, (lines: Coloured["lines"]) => void>();
let worker: Worker | null = null;
let lastId = 0;

/** Null until they are there, and for plain text. */
export function useColours(patch: FilePatch | null, path: string): readonly HunkColours[] | null {
  const [state, setState] = useState<{ patch: FilePatch; colours: readonly HunkColours[] } | null>(null);
  useEffect(() => {
    if (patch === null) return;
    let isWanted = true;
    void coloursOf(patch, path)?.then((colours) => isWanted && setState({ patch, colours }));
    return () => {
      isWanted = false;
    };
  }, [patch, path]);
  return state?.patch === patch ? state.colours : null;
}

function coloursOf(patch: FilePatch, path: string): Promise<readonly HunkColours[]> | null {
  const language = languageOf(path);
  if (language === null) return null;
  const before = known.get(patch);
  if (before !== undefined) return before;
  const texts = patch.hunks.flatMap((hunk) => [hunk.old.join("\n"), hunk.new.join("\n")]);
  if (texts.reduce((sum, { length }) => sum + length, 0) > MAX_CHARACTERS) return null;
  const asked = ask({ language, texts }).then((lines) =>
    patch.hunks.map((_, index) => ({ old: lines[index * 2] ?? [], new: lines[index * 2 + 1] ?? [] })),
  );
  known.set(patch, asked);
  return asked;
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
