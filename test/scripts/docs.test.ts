import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { cp, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { z } from "zod";
import { generatedDocuments } from "../../scripts/docs/generated-documents.ts";
import { fieldsOf, type JsonSchema } from "../../scripts/docs/schema-rows.ts";
import { toolPage } from "../../scripts/docs/tool-page.ts";
import { ToolCatalog } from "../../src/tools/catalog.ts";
import { defineTool } from "../../src/tools/core/tool.ts";
import { tempDir } from "../helpers/temp-dir.ts";

const ROOT = resolve(import.meta.dir, "../..");
const documents = generatedDocuments(ROOT);

describe("documents that are made from the code", () => {
  for (const { path, is, should } of documents)
    test(`${path} is as \`npm run docs\` writes it (if not: run that, and commit what it wrote)`, () => {
      expect(is).toBe(should);
    });

  test("every tool has its page, and the README of the toolkit leads to each", () => {
    const readme = readFileSync(join(ROOT, "docs/toolkit/README.md"), "utf8");
    const names = Object.keys(ToolCatalog);
    expect({
      pages: names.filter((name) => documents.some(({ path }) => path === `docs/toolkit/${name}.md`)),
      linked: names.filter((name) => readme.includes(`(${name}.md)`)),
    }).toEqual({ pages: names, linked: names });
  });

  test("every example in them is a file that the type checker reads", () => {
    const texts = documents.map(({ should }) => should ?? "");
    const shown = [
      ...new Set(
        texts.flatMap((text) => [...text.matchAll(/<!-- (examples\/\S+) -->/g)].map(([, path]) => path)),
      ),
    ];
    const { include } = JSON.parse(readFileSync(join(ROOT, "tsconfig.json"), "utf8"));
    expect({
      shown: shown.length > 0,
      missing: shown.filter((path) => !existsSync(join(ROOT, path ?? ""))),
      include,
    }).toMatchObject({
      shown: true,
      missing: [],
      include: expect.arrayContaining(["examples"]),
    });
  });

  test("no TypeScript in a document of the toolkit was written by hand", () => {
    const loose = documents.flatMap(({ path, should }) => {
      const rest = (should ?? "").replaceAll(/^<!-- (examples\S+) -->\n[\s\S]*?^<!-- \/\1 -->$/gm, "");
      return /^```(ts|js|typescript|javascript)\b/m.test(rest) ? [path] : [];
    });
    expect(loose).toEqual([]);
  });

  test("methods with positions are shown as the toolkit has them", () => {
    const page = (name: string) => documents.find(({ path }) => path.endsWith(`/${name}.md`))?.should;
    expect(page("exec_command")).toContain("| `toolkit.execCommand(cwd, command, options?)` |");
    expect(page("git_status_summary")).toContain("| `toolkit.gitStatusSummary(cwd?)` |");
  });
});

test("the page of a tool that is gone is to be removed, and what people wrote stays", async () => {
  await using dir = await tempDir();
  const source = "src/tools/toolkit/create-agent-toolkit.ts";
  for (const path of ["README.md", "docs/toolkit/README.md", source])
    await cp(join(ROOT, path), join(dir.path, path), { recursive: true });
  await cp(join(ROOT, "examples"), join(dir.path, "examples"), { recursive: true });
  const [gone = "", own = ""] = ["docs/toolkit/gone_tool.md", "docs/toolkit/own.md"];
  await writeFile(
    join(dir.path, gone),
    documents.find(({ path }) => path.includes("exec_command"))?.should ?? "",
  );
  await writeFile(join(dir.path, own), "# Written by hand\n");
  const there = generatedDocuments(dir.path);
  expect(there.filter(({ path }) => [gone, own].includes(path))).toMatchObject([
    { path: gone, should: null },
  ]);
  expect(there.filter(({ is }) => is === null).map(({ path }) => path)).toContain(
    "docs/toolkit/exec_command.md",
  );
});

test("a page has the definition, the limits, the codes and the notes of its tool", () => {
  const tool = defineTool({
    definition: {
      name: "count_lines",
      description: "Counts | lines.",
      parameters: {
        type: "object",
        properties: { path: { type: "string", description: "A file." } },
        required: ["path"],
      },
    },
    title: "Count lines",
    input: z.strictObject({ path: z.string().min(1), max: z.int().min(2).max(30_000).default(10) }),
    output: z.strictObject({ lines: z.int().describe("How many.") }),
    effect: "reads",
    hints: { destructive: false, idempotent: true, openWorld: false },
    paths: [{ argument: "path", must: "exist", absolute: "refused" }],
    codes: { TOO_BIG: "The file is too big." },
    notes: ["It counts `\\n`."],
    run: async () => ({ status: "success", data: { lines: 0 } }),
  });
  const page = toolPage(tool, "countLines(input)");
  const wanted = [
    "# `count_lines`",
    "> Counts | lines.",
    "| library | `toolkit.countLines(input)` |",
    "| effect | reads; works under `read-only` too |",
    "| `path` | string | not empty | A file. |",
    "| `max` (optional) | integer | at least 2, at most 30,000, default `10` |  |",
    "`path` is a path inside the workspace, by its real location. It must exist, and absolute paths are refused.",
    "| `lines` | integer | How many. |",
    "| `TOO_BIG` | The file is too big. |",
    "- It counts `\\n`.",
    '      "path": {\n        "type": "string",',
  ];
  expect(wanted.filter((line) => !page.includes(line))).toEqual([]);
});

test("rows go into inner objects, lists, records and each of several shapes", () => {
  const schema = z.strictObject({
    files: z.array(z.strictObject({ path: z.string(), mode: z.enum(["a", "b"]).nullable() })),
    by: z.record(z.string(), z.strictObject({ n: z.int() })),
    parsed: z
      .discriminatedUnion("kind", [
        z.strictObject({ kind: z.literal("log"), hash: z.string() }),
        z.strictObject({ kind: z.literal("status"), branch: z.string() }),
      ])
      .nullable(),
  });
  const rows = fieldsOf(z.toJSONSchema(schema) as JsonSchema).map(({ name, type }) => [name, type]);
  expect(rows).toEqual([
    ["files", "list of object"],
    ["files[].path", "string"],
    ["files[].mode", '`"a"` or `"b"` or null'],
    ["by", "object"],
    ["by.*.n", "integer"],
    ["parsed", "object or null"],
    ["parsed(log).kind", '`"log"`'],
    ["parsed(log).hash", "string"],
    ["parsed(status).kind", '`"status"`'],
    ["parsed(status).branch", "string"],
  ]);
});
