/** Finds the machine-readable form of a git call's output, and the shape of the parsed result. */
import { z } from "zod";
import type { GitCall, GivenOption } from "../../../domain/git-policy/parse/parse-call.ts";
import { has } from "../../../domain/git-policy/table/command-table.ts";
import { BLAME_LINES_ARGS, parseBlameLines, parsedBlame } from "./blame-lines.ts";
import { BRANCH_LIST_ARGS, parseBranchList, parsedBranch } from "./branch-list.ts";
import { DIFF_FILES_ARGS, parseDiffFiles, parsedDiff } from "./diff-files.ts";
import { LOG_COMMITS_ARGS, parsedLog, parseLogCommits } from "./log-commits.ts";
import { parsedStashList, parseStashList, STASH_LIST_ARGS } from "./stash-list.ts";
import { parsedStatus, parseStatus } from "./status.ts";

interface MachineForm {
  /** The arguments after the subcommand. */
  readonly args: readonly string[];
  parse(text: string, state: { readonly truncated: boolean }): ParsedOutput;
}

interface Form {
  /** Goes in front of the caller's own arguments. */
  readonly first: readonly string[];
  /** Options that only change how the output looks, by the first name of their group. */
  readonly without: ReadonlySet<string>;
  readonly parse: MachineForm["parse"];
}

const SHOWN_DIFFERENCES = [
  ..."psUXWqz",
  ...["raw", "patch-with-raw", "patch-with-stat", "stat", "stat-width", "stat-name-width"],
  ...["stat-graph-width", "stat-count", "compact-summary", "numstat", "shortstat", "cumulative"],
  ...["dirstat-by-file", "summary", "name-only", "name-status", "color", "color-moved", "color-moved-ws"],
  ...["no-color-moved-ws", "no-color", "word-diff", "word-diff-regex", "color-words", "check", "full-index"],
  ...["binary", "abbrev", "line-prefix", "quiet", "exit-code", "submodule", "output-indicator-new"],
  ...["output-indicator-old", "output-indicator-context", "ws-error-highlight"],
];

const SHOWN_COMMITS = [
  ...SHOWN_DIFFERENCES,
  ...["pretty", "format", "oneline", "graph", "no-graph", "parents", "children", "left-right", "log-size"],
  ...["show-signature", "no-show-signature", "header", "timestamp", "show-linear-break", "abbrev-commit"],
  ...["no-abbrev-commit", "notes", "no-notes", "show-notes", "show-notes-by-default", "standard-notes"],
  ...["no-standard-notes", "date", "relative-date", "decorate", "source", "no-source", "encoding"],
  ...["expand-tabs", "no-expand-tabs", "m", "c", "cc", "dd", "remerge-diff", "diff-merges"],
];

const FORMS: ReadonlyMap<string, Form> = new Map<string, Form>([
  [
    "status",
    {
      first: ["--porcelain=v2", "-z", "--branch"],
      without: new Set(["s", "porcelain", "long", "z", "v", "column", "show-stash", "b"]),
      parse: parseStatus,
    },
  ],
  [
    "diff",
    {
      first: DIFF_FILES_ARGS,
      without: new Set(SHOWN_DIFFERENCES),
      parse: (text, { truncated }) => ({ kind: "diff", files: [...parseDiffFiles(text)], truncated }),
    },
  ],
  [
    "log",
    {
      first: LOG_COMMITS_ARGS,
      without: new Set(SHOWN_COMMITS),
      parse: (text, { truncated }) => ({ kind: "log", commits: [...parseLogCommits(text)], truncated }),
    },
  ],
  [
    "branch",
    {
      first: BRANCH_LIST_ARGS,
      without: new Set(["v", "q", "format", "column", "color", "abbrev"]),
      parse: parseBranchList,
    },
  ],
  [
    "blame",
    {
      first: BLAME_LINES_ARGS,
      without: new Set([
        ..."pctlsefnb",
        ...["incremental", "line-porcelain", "show-stats", "progress", "score-debug", "color-lines"],
        ...["color-by-age", "abbrev"],
      ]),
      parse: parseBlameLines,
    },
  ],
  ["stash list", { first: STASH_LIST_ARGS, without: new Set(SHOWN_COMMITS), parse: parseStashList }],
]);

/** Null if the output of the call is not parsed, for example if the call makes a branch. */
export function machineForm(call: GitCall): MachineForm | null {
  const { subcommand, pieces, dashes, afterDashes } = call;
  const form = FORMS.get(subcommand);
  if (form === undefined || call.asksForUsage || has(call, "show-current")) return null;
  const isKept = ({ spec }: GivenOption) => !form.without.has(spec.id);
  const kept = pieces.flatMap(({ words, options }) =>
    options.every(isKept) ? words : options.filter(isKept).flatMap(wordsOf),
  );
  const [, ...verb] = subcommand.split(" ");
  const paths = dashes ? ["--", ...afterDashes] : [];
  return { args: [...verb, ...form.first, ...kept, ...paths], parse: form.parse };
}

function wordsOf({ given, spec, value }: GivenOption): readonly string[] {
  if (value === null) return [given];
  if (given.startsWith("--")) return [`${given}=${value}`];
  return spec.takes === "value" ? [given, value] : [`${given}${value}`];
}

/** `kind` says which one it is. */
export const parsedOutput = z.union([
  parsedStatus,
  parsedDiff,
  parsedLog,
  parsedBranch,
  parsedBlame,
  parsedStashList,
]);

export type ParsedOutput = z.output<typeof parsedOutput>;
