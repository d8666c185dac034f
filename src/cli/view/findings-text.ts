/** Writes findings for people: by level, the gravest first, each with why and what to do. */
import type { FindingDocument } from "../../contract/answers.ts";
import { cleanLine, wrapToColumns } from "../../contract/text.ts";
import { paint } from "./paint.ts";
import { sizeText } from "./size-text.ts";

type Level = FindingDocument["level"];

interface Look {
  /** Of the window; infinite where nobody looks. */
  readonly columns: number;
  readonly colour: boolean;
}

const SECTIONS: readonly (readonly [level: Level, title: string])[] = [
  ["error", "Errors"],
  ["warning", "Warnings"],
  ["info", "To know"],
  ["ok", "In order"],
];

/** Long lines are hard to read, however wide the window is. */
const WIDEST = 100;

export function findingsText(findings: readonly FindingDocument[], look: Look): string {
  const columns = Math.min(look.columns, WIDEST);
  const sections = SECTIONS.flatMap(([level, title]) => {
    const of = findings.filter((finding) => finding.level === level);
    if (of.length === 0) return [];
    return [`${title}\n${of.map((finding) => findingText(finding, { ...look, columns })).join("")}`];
  });
  return [...sections, summaryOf(findings)].join("\n");
}

function findingText(finding: FindingDocument, look: Look): string {
  const { level, what, whose, why, bytes, remedy } = finding;
  const aside = [whose, bytes === null ? null : sizeText(bytes)].filter((part) => part !== null);
  const head = lines(aside.length === 0 ? what : `${what.replace(/\.$/, "")} (${aside.join(", ")}).`, {
    look,
    first: `  ${signOf(level, look)} `,
    indent: 4,
  });
  if (level === "ok") return head;
  return [
    head,
    why === null ? "" : lines(why, { look, first: "    ", indent: 4 }),
    remedy === null ? "" : lines(remedy, { look, first: "    -> ", indent: 7 }),
  ].join("");
}

function signOf(level: Level, look: Look): string {
  switch (level) {
    case "error":
      return paint("fail", "x", look);
    case "warning":
      return paint("needs", "!", look);
    case "info":
      return paint("dim", "-", look);
    case "ok":
      return paint("review", "+", look);
  }
}

/** A command in backticks is never broken: it is there to be copied. */
function lines(
  text: string,
  { look, first, indent }: { readonly look: Look; readonly first: string; readonly indent: number },
): string {
  const whole = cleanLine(text).replace(/`[^`]*`/g, (command) => command.replaceAll(" ", UNBROKEN));
  return wrapToColumns(whole, look.columns - indent)
    .map((line, index) => `${index === 0 ? first : " ".repeat(indent)}${line.replaceAll(UNBROKEN, " ")}\n`)
    .join("");
}

/** Of no alphabet, and no space to whoever breaks lines. */
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
