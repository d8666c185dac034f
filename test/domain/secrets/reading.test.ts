/** Tries how a text is read as its encoding says, and where a finding in it is said to stand. */
import { expect, test } from "bun:test";
import { findSecrets } from "../../../src/domain/secrets/find/find-secrets.ts";
import { readingOf } from "../../../src/domain/secrets/reading.ts";
import { cpuTime } from "../../helpers/cpu-time.ts";
import { drawsOf, fill } from "../../helpers/secrets/draw.ts";

test.each([
  ["\u001b[32mok\u001b[0m", "ok\n"],
  ["a&#61;b&amp;c &quot;d&quot;", 'a=b&c "d"\n'],
  ["a%3Db%2540c", "a=b@c\n"],
  ['{\\\\"a\\\\":\\u003d1}', '{"a":=1}\n'],
  ['k("ab" + "cd")', 'k("abcd")\n'],
  [`x: ${btoa("password=of the base")}`, "x: password=of the base\n"],
])("%j", (written, read) => {
  expect(readingOf(written)?.text).toBe(read);
});

test("a text that is written as it is read has no other reading", () => {
  expect(readingOf('const a = "the words" + b; // plain 100 %\n')).toBeNull();
});

test("only lines near what was encoded are read again", () => {
  const far = "a plain line\n".repeat(2_000);
  expect(readingOf(`${far}a&#61;b\n${far}`)?.text.length ?? 0).toBeLessThan(2_000);
});

test("a finding stands where its text was written, and nothing of it is shown", () => {
  const [one, other] = [fill("sk_live_<A10>", drawsOf("one")), fill("<A14>", drawsOf("other"))];
  const text = `first line\nconst k = "${one}" + "${other}";\n`;
  const [found, ...more] = findSecrets(text, { path: "a.js", isBinary: false });
  expect(more).toEqual([]);
  expect(text.slice(found?.start, found?.end)).toBe(`${one}" + "${other}`);
  expect(found?.hasPrefix).toBe(false);
});

test("any encoding is read in a time that grows with the length", () => {
  for (const part of [
    "&#61;",
    "%2540",
    '\\"',
    "\\",
    '"+"',
    '"a" + "b" ',
    "\u001b[0m",
    '" '.padEnd(60),
    "YWJj",
    "&amp;",
  ]) {
    const began = cpuTime();
    findSecrets(part.repeat(40_000), { path: "a.env", isBinary: false });
    expect({ part, isSlow: cpuTime() - began > 4_000 }).toEqual({ part, isSlow: false });
  }
});
