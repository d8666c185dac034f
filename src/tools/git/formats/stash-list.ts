/** Reads `git stash list` in a form of NUL-ended fields. */
import { z } from "zod";
import { recordsOf } from "./nul-fields.ts";

export const parsedStashList = z.strictObject({
  kind: z.literal("stash_list"),
  stashes: z.array(
    z.strictObject({
      ref: z.string().describe("Such as stash@{0}."),
      commit: z.string(),
      branch: z.string().nullable().describe("Where it was put away; null on a detached HEAD."),
      message: z.string(),
      date: z.string().describe("ISO 8601 with the offset of the clock that put it away."),
    }),
  ),
  truncated: z.boolean(),
});

type Parsed = z.output<typeof parsedStashList>;

const FIELDS = ["%gd", "%H", "%gs", "%cI"] as const;

export const STASH_LIST_ARGS: readonly string[] = [
  "-z",
  `--format=tformat:${FIELDS.join("%x00")}`,
  "--no-color",
];

export function parseStashList(text: string, { truncated }: { readonly truncated: boolean }): Parsed {
  const stashes = recordsOf(text, FIELDS.length).map(([ref = "", commit = "", words = "", date = ""]) => {
    const [, branch = "", message = words] = /^(?:WIP on|On) (.+?): (.*)$/s.exec(words) ?? [];
    return { ref, commit, branch: branch === "" || branch === "(no branch)" ? null : branch, message, date };
  });
  return { kind: "stash_list", stashes, truncated };
}
