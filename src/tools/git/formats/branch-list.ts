/** Reads `git branch` in a form of NUL-ended fields. */
import { z } from "zod";
import { recordsOf } from "./nul-fields.ts";

export const parsedBranch = z.strictObject({
  kind: z.literal("branch"),
  branches: z.array(
    z.strictObject({
      name: z
        .string()
        .describe("Short, as git branch shows it; of a remote with the remote's name in front."),
      remote: z.boolean(),
      current: z.boolean(),
      commit: z.string(),
      subject: z.string(),
      upstream: z.string().nullable(),
      upstream_gone: z.boolean(),
      ahead: z.int().nullable(),
      behind: z.int().nullable(),
      worktree: z.string().nullable().describe("Where it is checked out."),
    }),
  ),
  detached: z.boolean().describe("No branch is checked out here."),
  truncated: z.boolean(),
});

type Parsed = z.output<typeof parsedBranch>;

const FIELDS = [
  "%(HEAD)",
  "%(refname)",
  "%(objectname)",
  "%(contents:subject)",
  "%(upstream:short)",
  "%(upstream:track,nobracket)",
  "%(worktreepath)",
] as const;

export const BRANCH_LIST_ARGS: readonly string[] = [
  `--format=${FIELDS.map((field) => `${field}%00`).join("")}`,
  "--no-color",
  "--no-column",
];

export function parseBranchList(text: string, { truncated }: { readonly truncated: boolean }): Parsed {
  const records = recordsOf(text, FIELDS.length).map(([head = "", ...rest]) => [
    // Each record ends with a line feed, so it stands before the first field of the next record.
    head.replace(/^\n/, ""),
    ...rest,
  ]);
  // On a detached HEAD git prints `(HEAD detached at …)` in place of a reference.
  const detached = records.some(([head, refname = ""]) => head === "*" && !refname.startsWith("refs/"));
  const branches = records.filter(([, refname = ""]) => refname.startsWith("refs/")).map(branchOf);
  return { kind: "branch", branches, detached, truncated };
}

function branchOf(fields: readonly string[]): Parsed["branches"][number] {
  const [head = "", refname = "", commit = "", subject = "", upstream = "", track = "", worktree = ""] =
    fields;
  const count = (word: string) => Number(new RegExp(`${word} (\\d+)`).exec(track)?.[1] ?? 0);
  const counted = upstream !== "" && track !== "gone";
  return {
    name: refname.replace(/^refs\/(heads|remotes)\//, ""),
    remote: refname.startsWith("refs/remotes/"),
    current: head === "*",
    commit,
    subject,
    upstream: upstream === "" ? null : upstream,
    upstream_gone: track === "gone",
    ahead: counted ? count("ahead") : null,
    behind: counted ? count("behind") : null,
    worktree: worktree === "" ? null : worktree,
  };
}
