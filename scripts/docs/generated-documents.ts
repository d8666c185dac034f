/** Names every document that is made or filled in from the code, with the text that it should have. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ToolCatalog } from "../../src/tools/catalog.ts";
import type { Tool } from "../../src/tools/core/tool.ts";
import { promisesPage } from "./promises-page.ts";
import { seedsPage } from "./seeds-page.ts";
import { EFFECTS, MADE_BY, table, toolPage } from "./tool-page.ts";

export interface GeneratedDocument {
  /** Below the project's folder. */
  readonly path: string;
  /** What is there now; null where nothing is. */
  readonly is: string | null;
  /** Null where nothing should be there any more. */
  readonly should: string | null;
}

const PAGES = "docs/toolkit";
/** Written by hand, with parts that are filled in. */
const FILLED_IN = ["README.md", `${PAGES}/README.md`];

export function generatedDocuments(root: string): readonly GeneratedDocument[] {
  const tools = Object.values<Tool>(ToolCatalog);
  const calls = methodCalls(readFileSync(join(root, "src/tools/toolkit/create-agent-toolkit.ts"), "utf8"));
  const pages = tools.map((tool) => {
    const { name } = tool.definition;
    return [`${PAGES}/${name}.md`, toolPage(tool, calls.get(camelCase(name)) ?? usualCall(tool))] as const;
  });
  const filled = FILLED_IN.map(
    (path) => [path, filledIn(root, readFileSync(join(root, path), "utf8"))] as const,
  );
  const promises = ["docs/promises.md", promisesPage(root)] as const;
  const seeds = ["docs/seeds.md", seedsPage(root)] as const;
  const wanted = new Map([...pages, ...filled, promises, seeds]);
  const stale = readdirSync(join(root, PAGES)).map((name) => `${PAGES}/${name}`);
  return [...new Set([...wanted.keys(), ...stale])].flatMap((path) => {
    const is = textOf(join(root, path));
    const should = wanted.get(path) ?? null;
    return should === null && !is?.startsWith(MADE_BY) ? [] : [{ path, is, should }];
  });
}

/** Methods that a seed gives positions, as the toolkit's own source writes them: `execCommand(cwd, command, options?)`. */
function methodCalls(source: string): ReadonlyMap<string, string> {
  const [, body = ""] = /^interface ByPosition \{\n([\s\S]*?)^\}/m.exec(source) ?? [];
  return new Map(
    [...body.matchAll(/^ {2}(\w+)\(([\s\S]*?)\): Promise/gm)].map(([, name = "", list = ""]) => {
      const names = [...list.matchAll(/(?:^|[\s,(])(\w+\??):/g)].map((match) => match[1]);
      return [name, `${name}(${names.join(", ")})`];
    }),
  );
}

function usualCall({ definition, input }: Tool): string {
  return `${camelCase(definition.name)}(${input.safeParse({}).success ? "input?" : "input"})`;
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Fills what stands between `<!-- NAME -->` and `<!-- /NAME -->`: the tools, or a file of examples/. */
function filledIn(root: string, text: string): string {
  return text.replaceAll(
    /^<!-- (tools|examples\/[\w-]+\.ts) -->\n[\s\S]*?^<!-- \/\1 -->$/gm,
    (_, what: string) =>
      `<!-- ${what} -->\n${what === "tools" ? toolTable() : example(root, what)}\n<!-- /${what} -->`,
  );
}

function toolTable(): string {
  const rows = Object.values<Tool>(ToolCatalog).map(({ definition, title, effect }) => [
    `[\`${definition.name}\`](${definition.name}.md)`,
    title,
    EFFECTS[effect],
  ]);
  return table(["tool", "does", "effect"], rows);
}

/** The file as it is, but for its header, which the text around it says in its own words. */
function example(root: string, path: string): string {
  const code = readFileSync(join(root, path), "utf8").replace(/^\/\*\*[\s\S]*?\*\/\n/, "");
  return `\`\`\`ts\n${code.trim()}\n\`\`\``;
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
