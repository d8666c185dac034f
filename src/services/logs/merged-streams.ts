/** Puts an agent's events and its stderr into one order, the same at every reading. */
import { join } from "node:path";
import type { LogLine } from "../../domain/run/log.ts";
import type { AgentParser } from "../../executors/shared/executor.ts";
import { KEEPER_FILES } from "../../keeper/files.ts";
import { type Place, parsePlace } from "../../keeper/places.ts";
import type { FileLine } from "../log-chunks/fed-file.ts";
import { createArrivalTimes, createToolClock } from "./arrival-times.ts";
import { createGrowingFile, type GrowingFile } from "./growing-file.ts";

/** A line of the log without its number. */
export interface Printed extends Pick<LogLine, "source" | "event"> {
  /** When it came, in milliseconds since 1970; null if that is unknown. */
  readonly ms: number | null;
}

export interface MergedStreams {
  /** Reads what is new. `ended`: the keeper writes no more. */
  readOn(state: { readonly ended: boolean }): Promise<void>;
  /** All lines so far; the same array grows. */
  readonly lines: readonly Printed[];
  /** False if the run's keeper did not note the places of stderr: then `lines` holds none of it. */
  hasStderr(): boolean;
  /** The number of bytes that were read. */
  bytes(): number;
}

/** The files that the keeper writes. */
type PrintedFiles = Readonly<Record<"out" | "err" | "places" | "times", GrowingFile>>;

export function filesIn(dir: string): PrintedFiles {
  const { out, err, places, times } = KEEPER_FILES;
  return {
    out: createGrowingFile(join(dir, out)),
    err: createGrowingFile(join(dir, err)),
    places: createGrowingFile(join(dir, places)),
    times: createGrowingFile(join(dir, times)),
  };
}

/**
 * Reads what a run's keeper wrote. A line of stderr stands after the events of all stdout that was stored before it
 * (ADR 0045).
 */
export function createMergedStreams(
  { out, err, places, times }: PrintedFiles,
  parser: AgentParser,
): MergedStreams {
  const lines: Printed[] = [];
  const stderr = createPlacedLines();
  const arrivals = createArrivalTimes();
  const timed = createToolClock();

  /** Adds the stderr that stands before any stdout after byte `end`. */
  const tellUpTo = (end: number): void => {
    for (let line = stderr.next(end); line !== null; line = stderr.next(end)) {
      const { text, missing } = line;
      if (missing !== undefined) lines.push(missingLine(missing));
      if (text.trim() !== "") lines.push({ ms: null, source: "stderr", event: { text } });
    }
  };

  const readOn = async ({ ended }: { readonly ended: boolean }): Promise<void> => {
    // The keeper writes a place, then its stderr, then later stdout. We read them in the reverse order.
    // So no stderr that is there now belongs before a line that was given already.
    // It writes the time of a line before the line too.
    const outSize = await out.size();
    const errSize = await err.size();
    for await (const noted of places.lines(await places.size())) stderr.addPlaces(noted);
    if (stderr.isPlaced()) for await (const printed of err.lines(errSize)) stderr.addLines(printed);
    for await (const noted of times.lines(await times.size())) arrivals.add(noted);
    for await (const batch of out.lines(outSize))
      for (const { text, start, missing } of batch) {
        tellUpTo(start);
        if (missing !== undefined) lines.push(missingLine(missing));
        const ms = arrivals.at(start);
        for (const event of timed(parser.feed(text), ms))
          lines.push({ ms, source: "agent", event: { ...event } });
      }
    tellUpTo(ended ? Number.POSITIVE_INFINITY : out.end());
  };

  return { readOn, lines, hasStderr: stderr.isPlaced, bytes: () => out.end() + err.end() };
}

/** It stands in the place of what is not here. */
export function missingLine(bytes: number): Printed {
  const text = `${bytes} bytes of what the agent printed are not here.`;
  return { ms: null, source: "tazuna", event: { step: "log", text } };
}

type Line = Pick<FileLine, "text" | "start" | "missing">;

/** Lines of stderr that wait until stdout was read up to their place. */
function createPlacedLines() {
  let places: Place[] = [];
  let waiting: (Omit<Line, "start"> & { readonly place: number })[] = [];
  let first = 0;
  let placed = false;
  let place = 0;

  const placeOf = (start: number): number => {
    let passed = 0;
    for (; (places[passed]?.err ?? Number.POSITIVE_INFINITY) <= start; passed += 1)
      place = Math.max(place, places[passed]?.out ?? 0);
    if (passed > 0) places = places.slice(passed);
    return place;
  };

  return {
    isPlaced: () => placed,
    addPlaces: (noted: readonly Line[]): void => {
      const read = noted.map(({ text }) => parsePlace(text)).filter((found) => found !== null);
      placed ||= read.length > 0;
      places.push(...read);
    },
    addLines: (printed: readonly Line[]): void => {
      for (const { start, ...line } of printed) waiting.push({ ...line, place: placeOf(start) });
    },
    /** The next line whose place is not after `end`. */
    next: (end: number): Omit<Line, "start"> | null => {
      const line = waiting[first];
      if (line === undefined || line.place > end) return null;
      first += 1;
      if (first === waiting.length) [waiting, first] = [[], 0];
      return line;
    },
  };
}
