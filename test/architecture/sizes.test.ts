import { describe, expect, test } from "bun:test";
import { type SourceFile, sourceFiles } from "./source-files.ts";

const MAX_LINES_A_FILE = 300;
const MAX_LINES_A_FUNCTION = 60;

const exempt = (file: SourceFile) =>
  file.path.startsWith("storage/migrations/") || file.path.includes("generated");

/** Functions of a file, found by their opening line and the line that closes it at the same indentation. */
function functionsOf(file: SourceFile): { name: string; lines: number }[] {
  const lines = file.text.split("\n");
  const found: { name: string; lines: number }[] = [];
  for (const [index, line] of lines.entries()) {
    const opening =
      /^(\s*)(?:export\s+)?(?:default\s+)?(?:async\s+)?function\*?\s*(\w*)|^(\s*)(?:export\s+)?const\s+(\w+)\s*=\s*(?:async\s*)?(?:\([^)]*\)|\w+)(?:\s*:\s*[^=]+)?\s*=>\s*[{(]\s*$/.exec(
        line,
      );
    if (!opening) continue;
    const indent = opening[1] ?? opening[3] ?? "";
    const end = lines.findIndex(
      (other, at) =>
        at > index && new RegExp(`^${indent}[})]`).test(other) && !/^\s*\)?[:,]?.*\{\s*$/.test(other),
    );
    if (end > index) found.push({ name: opening[2] || opening[4] || "(anonymous)", lines: end - index + 1 });
  }
  return found;
}

describe("sizes", () => {
  const files = sourceFiles().filter((file) => !exempt(file));

  test(`no file has more than ${MAX_LINES_A_FILE} lines`, () => {
    const long = files
      .map((file) => ({ path: file.path, lines: file.text.split("\n").length - 1 }))
      .filter(({ lines }) => lines > MAX_LINES_A_FILE);
    expect(long).toEqual([]);
  });

  test(`no function has more than ${MAX_LINES_A_FUNCTION} lines`, () => {
    const long = files.flatMap((file) =>
      functionsOf(file)
        .filter(({ lines }) => lines > MAX_LINES_A_FUNCTION)
        .map(({ name, lines }) => `${file.path}: ${name} has ${lines} lines`),
    );
    expect(long).toEqual([]);
  });

  test("every file opens with a sentence that says what it does", () => {
    const silent = files.filter((file) => !/^(#!.*\n)?\/\*\*[^*]/.test(file.text)).map((file) => file.path);
    expect(silent).toEqual([]);
  });

  test("names say what is inside", () => {
    const vague = files
      .map((file) => file.path)
      .filter((path) => /(^|\/)(helpers|common|misc|shared)\.ts$|(Manager|Util|Utils)\.ts$/.test(path));
    const notKebab = files
      .map((file) => file.path)
      .filter(
        (path) =>
          !path.startsWith("tools/") &&
          path.split("/").some((part) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.d)?(\.tsx?)?$/.test(part)),
      );
    expect({ vague, notKebab }).toEqual({ vague: [], notKebab: [] });
  });
});
