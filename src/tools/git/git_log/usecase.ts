/** Asks git for one commit more than wanted, to know whether there are more. */
import { ok, type Result } from "neverthrow";
import type { z } from "zod";
import type { ToolContext } from "../../core/context.ts";
import type { ToolRefusal } from "../../core/result.ts";
import type { CallOptions } from "../../core/tool.ts";
import { LOG_COMMITS_ARGS, parseLogCommits } from "../formats/log-commits.ts";
import { runJudged } from "../judge/run-judged.ts";
import type { GitLogOutput, gitLogInput } from "./contract.ts";

interface GitLogCall extends CallOptions {
  readonly context: ToolContext;
  /** Absolute, without symbolic links. */
  readonly cwd: string;
  readonly input: z.output<typeof gitLogInput>;
}

/** UTF-16 units. A longer output is answered up to the last whole commit. */
const MAX_LENGTH = 4_000_000;

export async function gitLog({ input, ...run }: GitLogCall): Promise<Result<GitLogOutput, ToolRefusal>> {
  const args = [...LOG_COMMITS_ARGS, ...whichCommits(input), input.range, "--", ...input.paths];
  const ran = await runJudged({ ...run, subcommand: "log", args, maxChars: MAX_LENGTH });
  if (ran.isErr() && isWithoutCommits(ran.error, input.range)) return ok({ commits: [], more: false });
  return ran.map(({ stdout, stdout_truncated }) => {
    const commits = parseLogCommits(stdout);
    return {
      commits: commits.slice(0, input.limit),
      more: stdout_truncated || commits.length > input.limit,
    };
  });
}

function whichCommits({ limit, skip, author, grep, since, until }: GitLogCall["input"]): readonly string[] {
  const filters = Object.entries({ author, grep, since, until });
  return [
    `--max-count=${limit + 1}`,
    `--skip=${skip}`,
    ...filters.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`])),
  ];
}

/** In a new repository, HEAD names a branch without commits. */
function isWithoutCommits({ error }: ToolRefusal, range: string): boolean {
  return range === "HEAD" && error.code === "UNKNOWN_REVISION";
}
