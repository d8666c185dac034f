import { expect, test } from "bun:test";
import { mergeWords } from "../../../src/domain/pull-request/merge-words.ts";

const OPEN = {
  number: 1,
  state: "open",
  draft: false,
  mergeable: true,
  mergeBlock: null,
  baseBranch: "main",
} as const;

test("a pull request says where it stands on its way into its base", () => {
  expect(
    [
      OPEN,
      { ...OPEN, mergeable: null },
      { ...OPEN, mergeable: false },
      { ...OPEN, mergeBlock: "behind" },
      { ...OPEN, draft: true },
      { ...OPEN, state: "merged" as const },
      { ...OPEN, state: "closed" as const },
      { ...OPEN, number: null, state: null },
    ].map(mergeWords),
  ).toEqual([
    "It can be merged into main.",
    "The forge still finds out whether it can be merged.",
    "It cannot be merged now: it conflicts with main.",
    "It cannot be merged now: behind.",
    "It is a draft.",
    "It is merged into main.",
    "It was closed without a merge.",
    "It is still to be made there.",
  ]);
});
