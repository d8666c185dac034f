import { describe, expect, test } from "bun:test";
import { cleanLine, cleanText, visibleText } from "../../src/contract/text.ts";
import { elapsedText } from "../../src/contract/words/elapsed.ts";

describe("cleaning text for a terminal", () => {
  test.each([
    ["colours", "a\u001b[31mred\u001b[0mb", "aredb"],
    ["cursor moves", "x\u001b[2J\u001b[1;1Hy", "xy"],
    ["a title set by OSC, ended by BEL", "x\u001b]0;evil\u0007y", "xy"],
    ["a link by OSC, ended by ST", "\u001b]8;;http://evil\u001b\\here\u001b]8;;\u001b\\", "here"],
    ["an OSC that never ends costs one line", "a\u001b]0;evil\nb", "a\nb"],
    ["eight-bit CSI", "a\u009b31mb", "ab"],
    ["a lone escape at the end", "a\u001b", "a"],
    ["device control strings", "a\u001bPq#0\u001b\\b", "ab"],
    ["bell and backspace", "a\u0007\u0008b", "ab"],
    ["orders that reverse the reading", "a\u202etxt.exe\u2066b", "atxt.exeb"],
    ["tabs and newlines stay", "a\tb\nc", "a\tb\nc"],
    ["carriage returns that overwrite the line", "good\rbad", "goodbad"],
    ["Japanese and emoji stay", "日本語 👩‍💻 が", "日本語 👩‍💻 が"],
  ])("%s", (_, from, to) => {
    expect(cleanText(from)).toBe(to);
  });

  test("one line holds no line breaks", () => {
    expect(cleanLine(" a\r\nb\n\n c\td ")).toBe("a b c d");
  });

  test("a diff shows what would have hidden", () => {
    expect(visibleText("+a\u001b[2K\u202eb\u009b\n")).toBe("+a␛[2K<U+202E>b<U+009B>\n");
  });
});

describe("elapsed time", () => {
  test.each([
    [-5000, "0s"],
    [7_900, "7s"],
    [187_000, "3m 07s"],
    [7_500_000, "2h 05m"],
  ])("%i ms reads %s", (ms, text) => {
    expect(elapsedText(ms)).toBe(text);
  });
});
