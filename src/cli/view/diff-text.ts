/** Writes a diff: unchanged for pipes, visible and coloured for people. */
import type { DiffFile } from "../../contract/endpoints/attempts.ts";
import { cleanLine, visibleText } from "../../contract/text.ts";
import type { Output } from "../shared/terminal.ts";
import { paint } from "./paint.ts";
import { sizeText } from "./size-text.ts";
import { tableText } from "./table.ts";

/** Takes a patch piece by piece. */
export interface PatchWriter {
  piece(bytes: Uint8Array): Promise<void>;
  end(): Promise<void>;
}

/** A pipe gets the patch byte for byte, so that `git apply` takes it. */
export function patchWriter(output: Output): PatchWriter {
  if (!output.isTerminal) return { piece: (bytes) => output.writeBytes(bytes), end: async () => {} };
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let begun = "";
  const write = (text: string) => output.writeBytes(encoder.encode(text));
  const shown = (line: string) => paintLine(visibleText(line), output);
  return {
    piece: async (bytes) => {
      const lines = (begun + decoder.decode(bytes, { stream: true })).split("\n");
      begun = lines.pop() ?? "";
      if (lines.length > 0) await write(`${lines.map(shown).join("\n")}\n`);
    },
    end: async () => {
      const last = begun + decoder.decode();
      if (last !== "") await write(shown(last));
    },
  };
}

/** One JSON document of the files and the patch, written as the pieces arrive. */
export function jsonPatchWriter(
  output: Output,
  files: readonly DiffFile[],
  json: (value: unknown) => string,
) {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const write = (text: string) => output.writeBytes(encoder.encode(text));
  const inner = (text: string) => json(text).trimEnd().slice(1, -1);
  return {
    begin: () => write(`${json({ files }).trimEnd().slice(0, -2)},\n  "patch": "`),
    piece: (bytes: Uint8Array) => write(inner(decoder.decode(bytes, { stream: true }))),
    end: () => write(`${inner(decoder.decode())}"\n}\n`),
  };
}

/** A line per file and a sum. */
export function statText(files: readonly DiffFile[], columns: number): string {
  if (files.length === 0) return "";
  const rows = files.map((file) => [cleanLine(file.path), cleanLine(file.status), changeText(file)]);
  const sum = (field: "additions" | "deletions") =>
    files.reduce((total, file) => total + (file[field] ?? 0), 0);
  const count = files.length === 1 ? "1 file" : `${files.length} files`;
  return `${tableText(["FILE", "STATUS", "LINES"], rows, columns)}${count}, +${sum("additions")} -${sum("deletions")}\n`;
}

/** Such as `+3 -1`, or `binary, 1.2 KiB → 3.4 KiB`. */
function changeText({ additions, deletions, sizes }: DiffFile): string {
  if (additions !== null && deletions !== null) return `+${additions} -${deletions}`;
  const known = [sizes?.before ?? null, sizes?.after ?? null].filter((bytes) => bytes !== null);
  return ["binary", ...(known.length === 0 ? [] : [known.map(sizeText).join(" → ")])].join(", ");
}

function paintLine(line: string, output: Output): string {
  if (line.startsWith("+")) return paint("add", line, output);
  if (line.startsWith("-")) return paint("del", line, output);
  return line.startsWith("@@") ? paint("work", line, output) : line;
}
