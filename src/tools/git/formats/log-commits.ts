/** Reads `git log` in a form of NUL-ended fields. */
import { z } from "zod";
import { recordsOf } from "./nul-fields.ts";

const person = z.strictObject({
  name: z.string(),
  email: z.string(),
  date: z.string().describe("ISO 8601 with the offset of the author's clock."),
});

export const logCommit = z.strictObject({
  hash: z.string(),
  parents: z.array(z.string()).describe("Two or more of a merge, none of a first commit."),
  author: person,
  committer: person,
  subject: z.string(),
  body: z.string(),
});

export const parsedLog = z.strictObject({
  kind: z.literal("log"),
  commits: z.array(logCommit),
  truncated: z.boolean(),
});

type LogCommit = z.output<typeof logCommit>;

const FIELDS = ["%H", "%P", "%an", "%ae", "%aI", "%cn", "%ce", "%cI", "%s", "%b"] as const;

/** The log shows no diff. NUL ends each commit, because `tformat` would end each one with a line feed. */
export const LOG_COMMITS_ARGS: readonly string[] = [
  "-z",
  "-s",
  `--format=tformat:${FIELDS.join("%x00")}`,
  "--no-color",
  "--no-notes",
];

export function parseLogCommits(text: string): readonly LogCommit[] {
  return recordsOf(text, FIELDS.length).map((fields) => {
    const [hash = "", parents = "", ...rest] = fields;
    const [
      name = "",
      email = "",
      date = "",
      byName = "",
      byEmail = "",
      byDate = "",
      subject = "",
      body = "",
    ] = rest;
    return {
      hash,
      parents: parents.split(" ").filter((parent) => parent !== ""),
      author: { name, email, date },
      committer: { name: byName, email: byEmail, date: byDate },
      subject,
      body: body.trimEnd(),
    };
  });
}
