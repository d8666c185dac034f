/** Reads a patch in either of its two forms. */
import { err, type Result } from "neverthrow";
import type { FileChange, PatchFlaw } from "./change_list.ts";
import { parseBeginPatch } from "./parse_begin_patch.ts";
import { parseUnified } from "./parse_unified.ts";

/** A unified diff (of git, of diff, or by hand), or the form between `*** Begin Patch` and `*** End Patch`. */
export function parsePatch(patch: string): Result<readonly FileChange[], PatchFlaw> {
  const lines = linesOf(Buffer.from(patch.replace(/^\ufeff/, ""), "utf8").toString("latin1"));
  const begin = lines.findIndex((line) => line.trim() !== "");
  if (begin === -1) return err({ code: "INVALID_PATCH", patchLine: 1, why: "the patch is blank" });
  return lines[begin]?.trim() === "*** Begin Patch" ? parseBeginPatch(lines, begin) : parseUnified(lines);
}

const HEADER = /^(?:diff --git |--- |\+\+\+ |@@ |@@\r?$|\*\*\* )/;

/** The lines without line feeds. If the headers end in CRLF too, the patch was stored that way, not the files. */
function linesOf(patch: string): string[] {
  const lines = patch.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const headers = lines.filter((line) => HEADER.test(line));
  if (headers.length === 0 || !headers.every((line) => line.endsWith("\r"))) return lines;
  return lines.map((line) => line.replace(/\r$/, ""));
}
