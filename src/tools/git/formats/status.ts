/** Reads `git status --porcelain=v2 -z --branch`. */
import { z } from "zod";
import { CHANGES, type Change, changeOf } from "../../../domain/read/file-changes.ts";

const changedFile = z.strictObject({
  path: z.string().describe("Relative to the root of the repository."),
  status: z.enum(CHANGES),
  old_path: z.string().nullable().describe("Where it was, of a rename or copy."),
});

export const parsedStatus = z.strictObject({
  kind: z.literal("status"),
  branch: z.string().nullable().describe("Null if HEAD is detached."),
  commit: z.string().nullable().describe("Null before the first commit."),
  upstream: z.string().nullable(),
  ahead: z.int().nullable(),
  behind: z.int().nullable(),
  staged: z.array(changedFile),
  unstaged: z.array(changedFile),
  conflicts: z.array(
    z.strictObject({ path: z.string(), code: z.string().describe("Two letters, such as UU.") }),
  ),
  untracked: z.array(z.string()),
  ignored: z.array(z.string()),
  truncated: z.boolean(),
});

type Parsed = z.output<typeof parsedStatus>;
interface Changed {
  readonly path: string;
  readonly status: Change;
  readonly old_path: string | null;
}

export function parseStatus(text: string, { truncated }: { readonly truncated: boolean }): Parsed {
  const records = text.split("\0").slice(0, -1);
  const headers = new Map<string, string>();
  const staged: Changed[] = [];
  const unstaged: Changed[] = [];
  const conflicts: { path: string; code: string }[] = [];
  const others: Record<"?" | "!", string[]> = { "?": [], "!": [] };
  for (let at = 0; at < records.length; at += 1) {
    const record = records[at] ?? "";
    const kind = record.charAt(0);
    if (kind === "#") {
      const [, name = "", value = ""] = /^# (\S+) (.*)$/s.exec(record) ?? [];
      headers.set(name, value);
    } else if (kind === "?" || kind === "!") others[kind].push(record.slice(2));
    else if (kind === "u") conflicts.push({ path: fieldsOf(record, 10).path, code: record.slice(2, 4) });
    else if (kind === "1" || kind === "2") {
      // The old name of a rename is a record of its own.
      if (kind === "2") at += 1;
      const old = kind === "2" ? (records[at] ?? "") : null;
      addChanges(record, old, { staged, unstaged });
    }
  }
  return {
    kind: "status",
    ...branchOf(headers),
    staged,
    unstaged,
    conflicts,
    untracked: others["?"],
    ignored: others["!"],
    truncated,
  };
}

function addChanges(
  record: string,
  old: string | null,
  { staged, unstaged }: { readonly staged: Changed[]; readonly unstaged: Changed[] },
): void {
  const { path } = fieldsOf(record, old === null ? 8 : 9);
  for (const [letter, list] of [
    [record.charAt(2), staged],
    [record.charAt(3), unstaged],
  ] as const) {
    const status = changeOf(letter);
    if (status === null) continue;
    list.push({ path, status, old_path: status === "renamed" || status === "copied" ? old : null });
  }
}

/** The path after `before` fields that end with a space. */
function fieldsOf(record: string, before: number): { readonly path: string } {
  return { path: record.split(" ").slice(before).join(" ") };
}

function branchOf(
  headers: ReadonlyMap<string, string>,
): Pick<Parsed, "branch" | "commit" | "upstream" | "ahead" | "behind"> {
  const head = headers.get("branch.head") ?? null;
  const commit = headers.get("branch.oid") ?? null;
  const counts = /^\+(\d+) -(\d+)$/.exec(headers.get("branch.ab") ?? "");
  return {
    branch: head === "(detached)" ? null : head,
    commit: commit === "(initial)" ? null : commit,
    upstream: headers.get("branch.upstream") ?? null,
    ahead: counts === null ? null : Number(counts[1]),
    behind: counts === null ? null : Number(counts[2]),
  };
}
