import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { Glob } from "bun";
import { z } from "zod";
import { TOOL_DEFINITIONS as AT_THE_SEEDS_SPELLING } from "../../../src/registory/definitions.ts";
import { TOOL_DEFINITIONS } from "../../../src/registry/definitions.ts";
import { ToolCatalog } from "../../../src/tools/catalog.ts";
import type { Tool } from "../../../src/tools/core/tool.ts";

const SRC = resolve(import.meta.dir, "../../../src");
const tools = Object.entries<Tool>(ToolCatalog);
/** Their seeds name the files of their folders; every other tool says all of it in one. */
const SEEDED: ReadonlySet<string> = new Set([
  "exec_command",
  "git_status_summary",
  "git_command",
  "define_issue",
  "get_current_status",
]);

describe("the definitions", () => {
  test("are those of the catalog, by name and in its order", () => {
    expect(Object.entries<unknown>(TOOL_DEFINITIONS)).toEqual(
      tools.map(([name, { definition }]) => [name, definition]),
    );
  });

  test("seed 000 §4.4, §8 and seed 001 §4.4, §8: the definitions are there at the seeds' spelling too (departs: ours is `registry`)", () => {
    expect(AT_THE_SEEDS_SPELLING).toBe(TOOL_DEFINITIONS);
  });

  test("are plain JSON", () => {
    expect(JSON.parse(JSON.stringify(TOOL_DEFINITIONS))).toEqual(TOOL_DEFINITIONS);
  });
});

for (const [name, tool] of tools)
  describe(`the tool ${name}`, () => {
    const { properties, required } = tool.definition.parameters;
    const schema = z.toJSONSchema(tool.input, { io: "input", unrepresentable: "any" });
    const output = z.toJSONSchema(tool.output, { unrepresentable: "any" });

    test("lies in a folder of that name, under the name by which it is called", () => {
      const folders = [...new Glob(`tools/*/${name}/tool.ts`).scanSync({ cwd: SRC })];
      expect({ folders: folders.length, wire: tool.definition.name }).toEqual({ folders: 1, wire: name });
      expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
      const files = SEEDED.has(name) ? ["definition", "types", "validator"] : ["contract"];
      const home = join(SRC, folders[0] ?? "", "..");
      expect(files.filter((file) => !existsSync(join(home, `${file}.ts`)))).toEqual([]);
    });

    test("checks exactly the arguments that a model is told of, and requires the same", () => {
      expect({
        arguments: Object.keys(schema.properties ?? {}).sort(),
        required: [...(schema.required ?? [])].sort(),
      }).toEqual({ arguments: Object.keys(properties).sort(), required: [...required].sort() });
    });

    test("has the defaults that a model is told", () => {
      const isPlace = (argument: string) => tool.paths.some((rule) => rule.argument === argument);
      const held = (argument: string) => {
        const field = schema.properties?.[argument];
        // A place that is left out is the workspace itself.
        return isPlace(argument) ? "." : typeof field === "object" ? field.default : undefined;
      };
      const promised = Object.entries(properties).filter(([, { default: value }]) => value !== undefined);
      expect(promised.map(([argument]) => [argument, held(argument)])).toEqual(
        promised.map(([argument, { default: value }]) => [argument, value]),
      );
    });

    test("refuses what it does not know, in arguments and in answers", () => {
      expect([schema.additionalProperties, output.additionalProperties]).toEqual([false, false]);
    });

    test("judges paths by arguments that it has", () => {
      const unknown = tool.paths.filter(({ argument }) => !(argument in properties));
      expect(unknown).toEqual([]);
    });

    test("names its codes in capitals, with a sentence each, and its notes are sentences", () => {
      const odd = Object.entries(tool.codes).filter(
        ([code, means]) => !/^[A-Z]+(_[A-Z]+)*$/.test(code) || !/^[A-Z`].*\.$/s.test(means),
      );
      expect(odd).toEqual([]);
      expect(tool.notes.filter((note) => !/^\S.*\.$/s.test(note))).toEqual([]);
    });
  });
