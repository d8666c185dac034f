/** Keeps `docs/seeds.md` whole: each section has a test or a reason, and what titles and comments name exists. */
import { describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import { citationsIn, clausesIn, type SeedSection } from "../../scripts/docs/seed-titles.ts";
import { SEEDS } from "../../scripts/docs/seeds.ts";
import { citations, toldClauses } from "../../scripts/docs/seeds-page.ts";

const ROOT = resolve(import.meta.dir, "../..");
const MOST_WORDS = 20;

const told = toldClauses(ROOT);
const known = new Set(
  SEEDS.flatMap(({ number, sections }) => sections.map(({ name }) => `${number} ${name}`)),
);
const nameOf = ({ seed, section }: SeedSection) => `${seed} ${section}`;

describe("docs/seeds.md", () => {
  test("each section has the title of a test, or a reason for its absence", () => {
    const named = new Set(told.map(nameOf));
    const bare = SEEDS.flatMap(({ number, sections }) =>
      sections
        .filter(({ name, untried = [] }) => untried.length === 0 && !named.has(`${number} ${name}`))
        .map(({ name }) => `${number} ${name}`),
    );
    expect(bare).toEqual([]);
  });

  test("each section that the title of a test names exists", () => {
    const unknown = told.filter((clause) => !known.has(nameOf(clause)));
    expect(unknown.map((clause) => `${clause.file}: ${nameOf(clause)}`)).toEqual([]);
  });

  test("each section that a comment of the code cites exists", () => {
    const seeds = SEEDS.map(({ number }) => `${number} `);
    const unknown = citations(ROOT).filter((one) => !known.has(nameOf(one)) && !seeds.includes(nameOf(one)));
    expect(unknown.map((one) => `${one.file}: ${nameOf(one)}`)).toEqual([]);
  });

  test(`a clause has at most ${MOST_WORDS} words, and so has a departure`, () => {
    const parts = told.flatMap(({ file, title }) =>
      title.split(/ \((?=departs: |promises? )/).map((part) => ({ file, part })),
    );
    const long = parts.filter(({ part }) => part.split(/\s+/).length > MOST_WORDS);
    expect([...new Set(long.map(({ file, part }) => `${file}: ${part}`))]).toEqual([]);
  });

  test("no clause of a file stands twice in a section", () => {
    const names = told.map((clause) => `${clause.file}: ${nameOf(clause)}: ${clause.title}`);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });
});

describe("the reader of seeds", () => {
  test("sees the sections of tests, one or several, and not of describes", () => {
    const text = [
      'describe("seed 000 §9: no test", () => {',
      'describe.skipIf(!ON)(\n  "seed 000 §9: no test either",',
      'test("seed 000 §3.1, §5 and seed 001 §4.4: `one`: §7 (departs: a \\"word\\")", () => {})',
      "test.skipIf(!ON)(`seed 003 Push with retry and Phase 3: \\`push\\` at a place`, () => {})",
      "test(row, () => {}); // as in seed 000 §8",
    ].join("\n");
    expect(clausesIn(text).map((clause) => [nameOf(clause), clause.title])).toEqual([
      ["000 §3.1", '`one`: §7 (departs: a "word")'],
      ["000 §5", '`one`: §7 (departs: a "word")'],
      ["001 §4.4", '`one`: §7 (departs: a "word")'],
      ["003 Push with retry", "`push` at a place"],
      ["003 Phase 3", "`push` at a place"],
    ]);
  });

  test("sees citations in brackets, over the end of a line too, and no other mention", () => {
    const text = [
      "/** Does this (seed 000). */",
      "/**",
      " * Does that (seed 003 Push",
      " * with retry and Phase 3; ADR 0012), as seed 002 says.",
      " */",
      "// (seed 000 §4.4, seed 001 §4.4)",
    ].join("\n");
    expect(citationsIn(text).map(nameOf)).toEqual([
      "000 ",
      "003 Push with retry",
      "003 Phase 3",
      "000 §4.4",
      "001 §4.4",
    ]);
  });
});
