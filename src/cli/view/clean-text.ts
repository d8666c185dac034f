/** Writes what a clean-up removed, or would, and what it kept: what, whose, why, how many bytes, and what to do. */
import type { CleanAnswer } from "../../contract/answers.ts";
import { cleanLine } from "../../contract/text.ts";
import { sizeText } from "./size-text.ts";

interface Look {
  readonly yes: boolean;
  /** As it was asked for; null for everything. */
  readonly id: string | null;
}

export function cleanText({ removed, kept }: CleanAnswer, look: Look): string {
  if (removed.length + kept.length === 0) return "There is nothing to clean up.\n";
  const goes = removed.map((one) => entryText({ ...one, reason: one.why, remedy: null }));
  const stays = kept.map((one) => entryText(one));
  const bytes = removed.reduce((sum, one) => sum + one.bytes, 0);
  return [
    ...(goes.length === 0
      ? []
      : [`${look.yes ? "Put into the trash" : "Would go into the trash"}\n${goes.join("")}`]),
    ...(stays.length === 0 ? [] : [`Kept\n${stays.join("")}`]),
    `${look.yes ? "Removed" : "Would remove"} ${removed.length} (${sizeText(bytes)}), kept ${kept.length}.${howTo(look, removed.length)}\n`,
  ].join("\n");
}

function howTo({ yes, id }: Look, removed: number): string {
  if (removed === 0) return "";
  if (yes) return " `tazuna trash list` shows them, `tazuna trash restore ID` brings one back.";
  return ` Nothing was changed: \`tazuna clean ${id === null ? "" : `${id} `}--yes\` does it.`;
}

function entryText({
  what,
  whose,
  bytes,
  reason,
  remedy,
}: Omit<CleanAnswer["kept"][number], "id" | "path">): string {
  const aside = [whose, bytes === null ? null : sizeText(bytes)].filter((part) => part !== null).join(", ");
  const head = aside === "" ? what : `${what.replace(/\.$/, "")} (${aside})`;
  const lines = [`  ${head}`, `    ${reason}`, ...(remedy === null ? [] : [`    -> ${remedy}`])];
  return lines.map((line) => `${cleanEnd(line)}\n`).join("");
}

/** Control characters of a path are shown, not obeyed; the indent stays. */
function cleanEnd(line: string): string {
  const text = line.trimStart();
  return line.slice(0, line.length - text.length) + cleanLine(text);
}
