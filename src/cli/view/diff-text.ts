/** Writes a diff: as it is for pipes, visible and coloured for people. */
import type { DiffAnswer } from "../../contract/answers.ts";
import { cleanLine, visibleText } from "../../contract/text.ts";
import type { Output } from "../terminal.ts";
import { paint } from "./paint.ts";
import { tableText } from "./table.ts";

/** The patch itself. A pipe gets it byte for byte, so that `git apply` takes it. */
export function patchText({ patch }: DiffAnswer, output: Output): string {
  if (!output.isTerminal) return patch;
  return patch
    .split("\n")
    .map((line) => paintLine(visibleText(line), output))
    .join("\n");
}

/** A line per file and a sum. */
export function statText({ files }: DiffAnswer, columns: number): string {
  if (files.length === 0) return "";
  const rows = files.map(({ path, status, additions, deletions }) => [
    cleanLine(path),
    cleanLine(status),
    additions === null || deletions === null ? "binary" : `+${additions} -${deletions}`,
  ]);
  const sum = (of: "additions" | "deletions") => files.reduce((total, file) => total + (file[of] ?? 0), 0);
  const count = files.length === 1 ? "1 file" : `${files.length} files`;
  return `${tableText(["FILE", "STATUS", "LINES"], rows, columns)}${count}, +${sum("additions")} -${sum("deletions")}\n`;
}

function paintLine(line: string, output: Output): string {
  if (line.startsWith("+")) return paint("add", line, output);
  if (line.startsWith("-")) return paint("del", line, output);
  return line.startsWith("@@") ? paint("work", line, output) : line;
}
