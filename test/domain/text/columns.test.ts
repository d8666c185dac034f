import { describe, expect, test } from "bun:test";
import { columnsOf, cutToColumns, wrapToColumns } from "../../../src/domain/text/columns.ts";

describe("columns of a terminal", () => {
  test.each([
    ["plain", 5],
    ["e\u0301", 1],
    ["\u0301", 0],
    ["現在", 4],
    ["ｶﾅ", 2],
    ["⚡ fast", 7],
    ["❤", 1],
    ["❤\ufe0f", 2],
    ["1\ufe0f\u20e3", 2],
    ["𗀀", 2],
    ["🇯🇵", 2],
  ])("%s takes %d", (text, columns) => {
    expect(columnsOf(text)).toBe(columns);
  });

  test("a cut keeps a character and its marks together", () => {
    expect(cutToColumns("ne\u0301e\u0301e\u0301", 3)).toBe("ne\u0301…");
    expect(cutToColumns("❤\ufe0f❤\ufe0f", 3)).toBe("❤\ufe0f…");
    expect(wrapToColumns("現e\u0301在e\u0301", 3)).toEqual(["現e\u0301", "在e\u0301"]);
  });

  test("a place too narrow for one character is filled all the same", () => {
    expect(wrapToColumns("現在", 1).join("")).toBe("現在");
  });
});
