/** Asks git for the differences twice: once for the list of files, and once for the patch. */
import { err, ok, type Result } from "neverthrow";
import type { z } from "zod";
import type { ToolContext } from "../../core/context.ts";
import type { ToolRefusal } from "../../core/result.ts";
import type { CallOptions } from "../../core/tool.ts";
import { DIFF_FILES_ARGS, parseDiffFiles } from "../formats/diff-files.ts";
import { runJudged } from "../judge/run-judged.ts";
import type { GitDiffOutput, gitDiffInput } from "./contract.ts";

interface GitDiffCall extends CallOptions {
  readonly context: ToolContext;
  /** Absolute, without symbolic links. */
  readonly cwd: string;
  readonly input: z.output<typeof gitDiffInput>;
}

/** UTF-16 units of the list of files. */
const MAX_LIST_LENGTH = 1_000_000;

export async function gitDiff({ input, ...run }: GitDiffCall): Promise<Result<GitDiffOutput, ToolRefusal>> {
  const ask = (args: readonly string[], maxChars: number) =>
    runJudged({ ...run, subcommand: "diff", args: [...args, ...whatToCompare(input)], maxChars });
  const list = await ask(DIFF_FILES_ARGS, MAX_LIST_LENGTH);
  if (list.isErr()) return err(list.error);
  const files = [...parseDiffFiles(list.value.stdout)];
  const sum = (key: "additions" | "deletions") => files.reduce((total, file) => total + (file[key] ?? 0), 0);
  const answer = { files, additions: sum("additions"), deletions: sum("deletions") };
  if (input.stat_only) return ok({ ...answer, patch: null, truncated: list.value.stdout_truncated });
  const patch = await ask(["--patch", "--no-color", `-U${input.context_lines}`], input.max_chars);
  return patch.map(({ stdout, stdout_truncated }) => ({
    ...answer,
    patch: stdout,
    truncated: stdout_truncated || list.value.stdout_truncated,
  }));
}

/** The `--` keeps git from taking a commit for a file, and a file for a commit. */
function whatToCompare({ staged, base, head, paths }: GitDiffCall["input"]): readonly string[] {
  const commits = [base, head].filter((one) => one !== undefined);
  return [...(staged ? ["--cached"] : []), ...commits, "--", ...paths];
}
