/** Tells the details of a failure in words: findings with their places, checks, output of a remote or hook. */
import type { RunDocument } from "../task-document.ts";

type Details = NonNullable<RunDocument["failure"]>["details"];

/** All details, a line each; the text is not cleaned yet. */
export function detailLines(details: Details): string[] {
  return Object.entries(details).flatMap(([name, value]) => linesOf(name, value));
}

/** What a person needs beside the message: the findings, and the messages of others. */
export function mainDetailLines({ findings, more_findings, remote, output }: Details): string[] {
  return detailLines({ findings, more_findings, remote, output });
}

function linesOf(name: string, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (name === "findings" && Array.isArray(value)) return value.map(findingLine);
  if (name === "more_findings") return [`and ${String(value)} more findings`];
  if (name === "checks" && Array.isArray(value)) return value.map(checkLine);
  const words = valueWords(value);
  if (words === "") return [];
  if (name === "remote") return words.split("\n").map((line) => `remote: ${line.replace(/^remote: ?/, "")}`);
  if (!words.includes("\n")) return [`${name.replaceAll("_", " ")}: ${words}`];
  return [`${name.replaceAll("_", " ")}:`, ...words.split("\n").map((line) => `  ${line}`)];
}

/** Such as `credential config.ts:3: a token of GitHub`. */
function findingLine(finding: unknown): string {
  if (typeof finding !== "object" || finding === null) return valueWords(finding);
  const { rule, path, line, message } = asRecord(finding);
  const place = typeof line === "number" ? `${String(path)}:${line}` : String(path);
  return `${String(rule)} ${place}: ${String(message)}`;
}

function checkLine(check: unknown): string {
  const { name, outcome, exit_code: code } = asRecord(check);
  const how = String(outcome).replaceAll("_", " ");
  return `check ${String(name)}: ${how}${typeof code === "number" ? ` with exit code ${code}` : ""}`;
}

/** Lists with commas, objects as `name value`. */
function valueWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueWords).join(", ");
  if (typeof value === "object" && value !== null)
    return Object.entries(value)
      .filter(([, each]) => each !== null)
      .map(([name, each]) => `${name.replaceAll("_", " ")} ${valueWords(each)}`)
      .join(", ");
  return String(value ?? "").trimEnd();
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
