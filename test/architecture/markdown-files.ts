/** Reads the project's own documents: their links, their headings and the rows of their tables. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./source-files.ts";

export interface Document {
  /** Path below the project's folder, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

const FOREIGN = new Set(["node_modules", ".git", "dist", "coverage", "fixtures"]);

/** Every Markdown file of the project. */
export function documents(): readonly Document[] {
  return markdownIn("").map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));
}

function markdownIn(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return FOREIGN.has(entry.name) ? [] : markdownIn(path);
    return entry.name.endsWith(".md") ? [path] : [];
  });
}

/** Targets of the links and images of a text, code left out. */
export function linksOf(text: string): readonly string[] {
  const prose = text.replace(/^(```|~~~)[\s\S]*?^\1/gm, "").replace(/`[^`\n]*`/g, "");
  const inline = [...prose.matchAll(/\]\(\s*<?([^)<>\s]+)>?(?:\s+"[^"]*")?\s*\)/g)];
  const references = [...prose.matchAll(/^ {0,3}\[[^\]]+\]:\s*<?(\S+?)>?(?:\s|$)/gm)];
  return [...inline, ...references].map((match) => match[1] ?? "");
}

/** The anchors that the headings of a text make, as forges do. */
export function anchorsOf(text: string): readonly string[] {
  const prose = text.replace(/^(```|~~~)[\s\S]*?^\1/gm, "");
  return [...prose.matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)].map((match) =>
    (match[1] ?? "")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-"),
  );
}

export interface Row {
  /** From 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** The rows of all tables, their headings and rulers left out. */
export function rowsOf(text: string): readonly Row[] {
  const lines = text.split("\n");
  return lines.flatMap((line, at) => {
    const heading = /^\|[\s|:-]+\|$/.test(lines[at + 1] ?? "");
    if (!line.startsWith("|") || heading || /^\|[\s|:-]+\|$/.test(line)) return [];
    const cells = line.replace(/^\||\|$/g, "").split(/(?<!\\)\|/);
    return [{ line: at + 1, cells: cells.map((cell) => cell.trim()) }];
  });
}
