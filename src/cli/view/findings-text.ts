/** Writes findings for people: by level, the gravest first, each with its reason and remedy. */

import { wrapToColumns } from "../../contract/columns.ts";
import type { FindingDocument } from "../../contract/endpoints/repositories.ts";
import { cleanLine } from "../../contract/text.ts";
import { paint } from "./paint.ts";
import { sizeText } from "./size-text.ts";

type Level = FindingDocument["level"];

interface TextStyle {
  /** Of the window; infinite if there is none. */
  readonly columns: number;
  readonly colour: boolean;
}

const SECTIONS: readonly (readonly [level: Level, title: string])[] = [
  ["error", "Errors"],
  ["warning", "Warnings"],
  ["info", "To know"],
  ["ok", "In order"],
];

/** Long lines are hard to read, even if the window is wide. */
const WIDEST = 100;

export function findingsText(findings: readonly FindingDocument[], style: TextStyle): string {
  const columns = Math.min(style.columns, WIDEST);
  const sections = SECTIONS.flatMap(([level, title]) => {
    const ofLevel = findings.filter((finding) => finding.level === level);
    if (ofLevel.length === 0) return [];
    const groups = [...Map.groupBy(ofLevel, groupOf).values()];
    return [`${title}\n${groups.map((group) => groupText(group, { ...style, columns })).join("")}`];
  });
  return [...sections, summaryOf(findings)].join("\n");
}

/** Findings with the same reason stand together. */
function groupOf({ id, level, why }: FindingDocument): string {
  return level === "ok" || why === null ? `id ${id}` : `why ${why}`;
}

/** A line for each; the reason once, and then each remedy. */
function groupText(group: readonly FindingDocument[], style: TextStyle): string {
  const why = group[0]?.level === "ok" ? null : (group[0]?.why ?? null);
  const remedies = new Set(group.flatMap(({ level, remedy }) => (level === "ok" ? [] : (remedy ?? []))));
  return [
    ...group.map((finding) => headText(finding, style)),
    why === null ? "" : lines(why, { style, first: "    ", indent: 4 }),
    ...[...remedies].map((remedy) => lines(remedy, { style, first: "    -> ", indent: 7 })),
  ].join("");
}

function headText({ level, what, whose, bytes }: FindingDocument, style: TextStyle): string {
  const aside = [whose, bytes === null ? null : sizeText(bytes)].filter((part) => part !== null);
  return lines(aside.length === 0 ? what : `${what.replace(/\.$/, "")} (${aside.join(", ")}).`, {
    style,
    first: `  ${signOf(level, style)} `,
    indent: 4,
  });
}

function signOf(level: Level, style: TextStyle): string {
  switch (level) {
    case "error":
      return paint("fail", "x", style);
    case "warning":
      return paint("needs", "!", style);
    case "info":
      return paint("dim", "-", style);
    case "ok":
      return paint("review", "+", style);
  }
}

/** A command in backticks is never broken, since the person copies it. */
function lines(
  text: string,
  { style, first, indent }: { readonly style: TextStyle; readonly first: string; readonly indent: number },
): string {
  const whole = cleanLine(text).replace(/`[^`]*`/g, (command) => command.replaceAll(" ", UNBROKEN));
  return wrapToColumns(whole, style.columns - indent)
    .map((line, index) => `${index === 0 ? first : " ".repeat(indent)}${line.replaceAll(UNBROKEN, " ")}\n`)
    .join("");
}

/** A private-use character, which the line breaker does not treat as a space. */
const UNBROKEN = "\ue000";

function summaryOf(findings: readonly FindingDocument[]): string {
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length;
  const [errors, warnings] = [count("error"), count("warning")];
  if (errors + warnings === 0) return "Nothing is wrong. Nothing was changed.\n";
  const words = [numbered(errors, "error"), numbered(warnings, "warning")].filter((part) => part !== null);
  return `${words.join(", ")}. Nothing was changed.\n`;
}

function numbered(number: number, word: string): string | null {
  return number === 0 ? null : `${number} ${word}${number === 1 ? "" : "s"}`;
}
