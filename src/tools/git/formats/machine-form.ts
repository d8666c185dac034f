/** Finds the form in which a machine reads what a git call shows: the same call, printed another way. */
import { isSubcommandAllowed } from "../../../domain/git-policy/seed-lists.ts";
import { selectTable } from "../../../domain/git-policy/select-table.ts";
import { SUBCOMMANDS } from "../../../domain/git-policy/tables/subcommands.ts";
import { BLAME_LINES_ARGS, parseBlameLines } from "./blame-lines.ts";
import { BRANCH_LIST_ARGS, parseBranchList } from "./branch-list.ts";
import { DIFF_FILES_ARGS, parseDiffFiles } from "./diff-files.ts";
import { keepWords } from "./keep-words.ts";
import { LOG_COMMITS_ARGS, parseLogCommits } from "./log-commits.ts";
import type { ParsedOutput } from "./parsed-output.ts";
import { parseStashList, STASH_LIST_ARGS } from "./stash-list.ts";
import { parseStatus } from "./status.ts";

export interface MachineForm {
  /** Behind the subcommand. */
  readonly args: readonly string[];
  parse(text: string, state: { readonly truncated: boolean }): ParsedOutput;
}

interface Form {
  /** Stands in front of the caller's own arguments. */
  readonly first: readonly string[];
  /** Options that only say how it is shown, by the first name of their group. */
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

/** Null where the call shows nothing that is read, such as one that makes a branch. */
export function machineForm(subcommand: string, args: readonly string[]): MachineForm | null {
  if (args.includes("-h") || !isSubcommandAllowed(subcommand)) return null;
  const selected = selectTable(subcommand, args, SUBCOMMANDS[subcommand]);
  if (selected.isErr()) return null;
  const { command, rest, name } = selected.value;
  const form = FORMS.get(name);
  if (form === undefined || (name === "branch" && args.includes("--show-current"))) return null;
  const kept = keepWords(rest, { table: command.options, without: form.without });
  const verb = name.split(" ").slice(1);
  return { args: [...verb, ...form.first, ...kept], parse: form.parse };
}
