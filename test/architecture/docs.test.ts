import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { configurationSchema } from "../../src/domain/configuration/schema.ts";
import { FAILURE_CODES } from "../../src/domain/run/failure.ts";
import { RUN_OUTCOMES, RUN_STATES } from "../../src/domain/run/state.ts";
import { anchorsOf, type Document, documents, linksOf, rowsOf } from "./markdown-files.ts";
import { ROOT } from "./source-files.ts";

const MAX_WORDS_OF_README = 1_000;
/** 60 lines of 120. */
const MAX_CHARACTERS_OF_A_DECISION = 7_200;

/** Why a link of a document leads nowhere, or null. */
function deadEnd({ path, text }: Document, link: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:/i.test(link)) return null;
  const [file = "", anchor] = link.split("#");
  const target = file === "" ? path : posix.join(posix.dirname(path), decodeURIComponent(file));
  const where = join(ROOT, target);
  if (target.startsWith("..")) return `${path}: ${link} leaves the project`;
  if (!existsSync(where)) return `${path}: ${link} does not exist`;
  if (anchor === undefined || !target.endsWith(".md") || statSync(where).isDirectory()) return null;
  const anchors = anchorsOf(file === "" ? text : readFileSync(where, "utf8"));
  return anchors.includes(anchor) ? null : `${path}: ${link} has no such heading`;
}

describe("documents", () => {
  test("every link inside the project leads somewhere", () => {
    const dead = documents().flatMap((document) =>
      linksOf(document.text).flatMap((link) => deadEnd(document, link) ?? []),
    );
    expect(dead).toEqual([]);
  });

  test("every state, outcome and failure code is in the glossary, and no other", () => {
    const { text = "" } = documents().find(({ path }) => path === "CONTEXT.md") ?? {};
    const rows = rowsOf(text).map(({ cells }) => cells.map((cell) => /^`([\w]+)`$/.exec(cell)?.[1] ?? cell));
    const below = (known: readonly string[]) =>
      rows.filter(([word = ""]) => known.includes(word)).map(([word]) => word);
    expect({
      states: rows
        .filter(([word = ""]) => /^[A-Z]+$/.test(word))
        .map(([status, phase]) => `${status}/${phase}`),
      outcomes: below(RUN_OUTCOMES),
      codes: below(FAILURE_CODES),
    }).toEqual({
      states: RUN_STATES.map(({ status, phase }) => `${status}/${phase ?? ""}`),
      outcomes: [...RUN_OUTCOMES],
      codes: [...FAILURE_CODES],
    });
  });
});

const textOf = (path: string) => readFileSync(join(ROOT, path), "utf8");

describe("README.md", () => {
  const words = textOf("README.md").split(/\s+/).filter(Boolean).length;

  test(`has at most ${MAX_WORDS_OF_README} words`, () => {
    expect(words).toBeLessThanOrEqual(MAX_WORDS_OF_README);
  });

  test("leads to every document that stands beside the decisions and the tools", () => {
    const linked = linksOf(textOf("README.md")).map((link) => link.split("#")[0]);
    const pages = documents().map(({ path }) => path);
    const wanted = pages.filter((path) => /^(docs\/)?[\w-]+\.md$/.test(path) && path !== "README.md");
    expect(wanted.filter((path) => !linked.includes(path))).toEqual([]);
  });
});

describe("docs/trouble.md", () => {
  test("tells cause and remedy of every failure code, and of no other", () => {
    const [, rest = ""] = textOf("docs/trouble.md").split("## A run has failed");
    const told = rowsOf(rest.split("\n## ")[0] ?? "").map(
      ({ cells: [code = "", cause = "", remedy = ""] }) => ({
        code: code.replaceAll("`", ""),
        whole: cause !== "" && remedy !== "",
      }),
    );
    expect(told).toEqual(FAILURE_CODES.map((code) => ({ code, whole: true })));
  });
});

describe("docs/configuration.md", () => {
  const page = textOf("docs/configuration.md");
  const examples = [...page.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text);

  test("opens with an example of at most 20 lines", () => {
    const [opening = ""] = page.split("\n## ");
    expect(opening).toContain(examples[0] ?? "no example");
    expect(examples[0]?.trimEnd().split("\n").length).toBeLessThanOrEqual(20);
  });

  test("every example is a configuration that is accepted", () => {
    const faults = examples.map(
      (text) => configurationSchema.partial().safeParse(JSON.parse(text)).error?.issues,
    );
    expect(faults).toEqual(examples.map(() => undefined));
  });
});

describe("docs/adr", () => {
  const decisions = documents().filter(({ path }) => /^docs\/adr\/\d{4}-/.test(path));

  test("each decision fits one screen", () => {
    const long = decisions.filter(({ text }) => text.length > MAX_CHARACTERS_OF_A_DECISION);
    expect(long.map(({ path, text }) => `${path}: ${text.length}`)).toEqual([]);
  });

  test("its list names each of them", () => {
    const listed = linksOf(textOf("docs/adr/README.md")).map((link) => `docs/adr/${link}`);
    expect(decisions.map(({ path }) => path).filter((path) => !listed.includes(path))).toEqual([]);
  });
});

describe("the reader of documents", () => {
  test("sees links, images and references, and no code", () => {
    const text = [
      '[a](a.md) ![b](<b.png>) [c](c.md#x "title")',
      "`[code](no.md)`",
      "```",
      "[fenced](no.md)",
      "```",
      "[ref]: d.md",
    ].join("\n");
    expect(linksOf(text)).toEqual(["a.md", "b.png", "c.md#x", "d.md"]);
  });

  test("knows the anchors of headings and the rows of tables", () => {
    const text = "# A run, state by state\n## 課題 & `code`\n\n| a | b |\n|---|---|\n| 1 | x \\| y |\n";
    expect(anchorsOf(text)).toEqual(["a-run-state-by-state", "課題--code"]);
    expect(rowsOf(text)).toEqual([{ line: 6, cells: ["1", "x \\| y"] }]);
  });
});
