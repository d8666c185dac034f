/** Holds what a typed sign-in code means. */
import { expect, test } from "bun:test";
import { typedCode } from "../../web/src/features/shell/typed-code.ts";

test.each([
  ["ABCD-EFGH-2345", "ABCDEFGH2345"],
  [" abcd efgh 2345 ", "abcdefgh2345"],
  ["ＡＢＣＤ－ＥＦＧＨ－２３４５", "ABCDEFGH2345"],
  ["ー。", ""],
])("a code typed as `%s` is %s", (typed, code) => {
  expect(typedCode(typed)).toBe(code);
});
