/** Holds the comments to short sentences, so that readers all over the world take them in at once. */
import { expect, test } from "bun:test";
import { codeIn } from "./exports.ts";

const MAX_WORDS = 20;

const BLOCKS = /^[ \t]*\/\*\*?([\s\S]*?)\*\/|(?:^[ \t]*\/\/.*\n)+/gm;

function sentencesOf(text: string): string[] {
  return [...text.matchAll(BLOCKS)].flatMap(([block]) =>
    block
      .replace(/^[ \t]*(?:\/\*\*?|\*\/|\*|\/\/)/gm, "")
      .replace(/\*\/$/, "")
      .split(/(?<=[.!?:;])\s+|\n\s*\n/),
  );
}

const wordsOf = (sentence: string): number =>
  sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}_]/u.test(word)).length;

test(`no sentence of a comment has more than ${MAX_WORDS} words`, () => {
  const files = codeIn(["src", "web/src"]);
  const long = files.flatMap(({ path, text }) =>
    sentencesOf(text)
      .filter((sentence) => wordsOf(sentence) > MAX_WORDS)
      .map((sentence) => `${path}: ${sentence.trim().replace(/\s+/g, " ")}`),
  );
  expect(files.length).toBeGreaterThan(1_000);
  expect(long).toEqual([]);
});
