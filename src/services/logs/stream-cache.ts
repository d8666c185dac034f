/** Keeps the parsed streams of the runs that are being read, so that a page costs what is new and not the whole. */
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { AgentEvent } from "../../domain/agent/events.ts";
import type { AgentParser } from "../../executors/executor.ts";
import { KEEPER_FILES } from "../../keeper/files.ts";
import { createLineSplitter } from "../../utils/json-lines.ts";
import type { ServiceContext } from "../context.ts";
import { parserOfRecord, type RecordedStream } from "../runs/read-stream.ts";

export interface StreamCache {
  /** Every event of the run so far; the same array grows as the stream does. */
  events(of: RecordedStream): Promise<readonly AgentEvent[]>;
}

const MOST_STREAMS = 16;
const CHUNK_BYTES = 1024 * 1024;

interface Cached {
  readonly parser: Promise<AgentParser>;
  readonly events: AgentEvent[];
  readonly splitter: ReturnType<typeof createLineSplitter>;
  offset: number;
  /** Readers of one run take turns. */
  reading: Promise<void>;
}

/** The least recently read streams are dropped; they are parsed again when asked for. */
export function createStreamCache(
  context: Pick<ServiceContext, "paths" | "newId" | "selfCommand" | "userEnv">,
): StreamCache {
  const streams = new Map<string, Cached>();

  const streamOf = (of: RecordedStream): Cached => {
    const runId = of.run.id;
    const known = streams.get(runId);
    if (known !== undefined) {
      streams.delete(runId);
      streams.set(runId, known);
      return known;
    }
    const stream: Cached = {
      parser: parserOfRecord(context, of),
      events: [],
      splitter: createLineSplitter(),
      offset: 0,
      reading: Promise.resolve(),
    };
    streams.set(runId, stream);
    const oldest = streams.keys().next().value;
    if (streams.size > MOST_STREAMS && oldest !== undefined) streams.delete(oldest);
    return stream;
  };

  return {
    events: async (of) => {
      const stream = streamOf(of);
      const path = join(context.paths.run(of.run.id), KEEPER_FILES.out);
      stream.reading = stream.reading.then(() => readOn(stream, path));
      await stream.reading;
      return stream.events;
    },
  };
}

async function readOn(stream: Cached, path: string): Promise<void> {
  const parser = await stream.parser;
  const file = await open(path, "r").catch(() => null);
  if (file === null) return;
  try {
    const buffer = Buffer.alloc(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, stream.offset);
      if (bytesRead === 0) return;
      stream.offset += bytesRead;
      for (const line of stream.splitter.push(buffer.subarray(0, bytesRead)))
        stream.events.push(...parser.feed(line.text));
    }
  } finally {
    await file.close();
  }
}
