/** Holds how much of what was written and not sent a device keeps. */
import { expect, test } from "bun:test";
import { type Unsent, withUnsent } from "../../web/src/data/newest-words.ts";

const at = (place: string, words = "words", attempt = "a"): Unsent => ({ attempt, place, words });

test("words at a place take the place of earlier ones, and blank words are forgotten", () => {
  const held = [at("1"), at("2"), at("1", "of another", "b")];
  expect(withUnsent(held, at("1", "new"))).toEqual([held[1], held[2], at("1", "new")] as Unsent[]);
  expect(withUnsent(held, at("1", "  "))).toEqual([held[1], held[2]] as Unsent[]);
});

test("the oldest words go first when there are too many, or they are too long", () => {
  const many = Array.from({ length: 60 }, (_, index) => at(String(index)));
  expect(withUnsent(many, at("new")).map(({ place }) => place)).toEqual([
    ...many.slice(11).map(({ place }) => place),
    "new",
  ]);
  const long = at("long", "x".repeat(150_000));
  expect(withUnsent([at("old", "x".repeat(60_000)), at("short")], long)).toEqual([at("short"), long]);
});
