/** Keeps the head of a program's output and passes all of it on as text, never half a character. */
import { createOutputBuffer, type OutputBuffer } from "./output-buffer.ts";

export interface CapturedOutput extends OutputBuffer {
  /** Passes on what is left of an unfinished character. */
  end(): void;
}

export function captureOutput(options: {
  readonly maxBytes: number;
  readonly listener: ((text: string) => void) | null;
}): CapturedOutput {
  const { listener } = options;
  const buffer = createOutputBuffer({ maxBytes: options.maxBytes });
  if (listener === null) return { ...buffer, end: () => {} };
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const pass = (text: string) => (text === "" ? undefined : listener(text));
  const push = (chunk: Uint8Array): void => {
    buffer.push(chunk);
    pass(decoder.decode(chunk, { stream: true }));
  };
  return { ...buffer, push, end: () => pass(decoder.decode()) };
}
