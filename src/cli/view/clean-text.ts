/** Writes what a clean-up removed or would remove, and what it kept, with reasons, sizes and remedies. */
import type { CleanAnswer } from "../../contract/endpoints/trash.ts";
import { cleanLine } from "../../contract/text.ts";
import { sizeText } from "./size-text.ts";

interface CleanOptions {
  readonly yes: boolean;
  /** The id that was asked for; null for everything. */
  readonly id: string | null;
}

export function cleanText({ removed, kept }: CleanAnswer, options: CleanOptions): string {
  if (removed.length + kept.length === 0) return "There is nothing to clean up.\n";
  const goes = grouped(removed.map((one) => ({ ...one, reason: one.why, remedy: null })));
  const stays = grouped(kept);
  const bytes = removed.reduce((sum, one) => sum + one.bytes, 0);
  return [
    ...(goes === "" ? [] : [`${options.yes ? "Put away" : "Would be put away"}\n${goes}`]),
    ...(stays === "" ? [] : [`Kept\n${stays}`]),
    `${options.yes ? "Removed" : "Would remove"} ${removed.length} (${sizeText(bytes)}), kept ${kept.length}.${howTo(options, removed)}\n`,
  ].join("\n");
}

function howTo({ yes, id }: CleanOptions, removed: CleanAnswer["removed"]): string {
  if (removed.length === 0) return "";
  if (!yes) return ` Nothing was changed: \`tazuna clean ${id === null ? "" : `${id} `}--yes\` does it.`;
  // An attempt that never had a worktree is not in the trash.
  const [first, ...others] = removed.filter(({ bytes }) => bytes > 0);
  if (first === undefined) return "";
  const which = others.length === 0 ? "it" : "the first of them";
  return ` \`tazuna trash restore ${first.id.slice(0, 8)}\` brings ${which} back; \`tazuna trash list\` shows all.`;
}

type Entry = Omit<CleanAnswer["kept"][number], "id" | "path">;

/** Groups the entries by reason. Reason and remedy are written once for each group. */
function grouped(entries: readonly Entry[]): string {
  return [...Map.groupBy(entries, ({ reason }) => reason)]
    .map(([reason, group]) => {
      const remedies = [...new Set(group.map(({ remedy }) => remedy))].filter((remedy) => remedy !== null);
      const lines = [
        `  ${reason}`,
        ...group.map((entry) => `    ${lineOf(entry)}`),
        ...remedies.slice(0, 1).map((remedy) => `    -> ${remedies.length > 1 ? "Such as: " : ""}${remedy}`),
      ];
      return lines.map((line) => `${cleanEnd(line)}\n`).join("");
    })
    .join("");
}

function lineOf({ what, whose, bytes }: Entry): string {
  const aside = [whose, bytes ? sizeText(bytes) : null].filter((part) => part !== null).join(", ");
  return aside === "" ? what : `${what.replace(/\.$/, "")} (${aside})`;
}

/** Control characters of a path are shown as text; the indent stays. */
function cleanEnd(line: string): string {
  const text = line.trimStart();
  return line.slice(0, line.length - text.length) + cleanLine(text);
}
