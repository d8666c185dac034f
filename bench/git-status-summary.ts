/** Measures `git_status_summary` against the two processes that it stands for, started raw in the same runtime. */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { contextOn } from "../src/tools/core/context.ts";
import { createAgentToolkit } from "../src/tools/toolkit/create-agent-toolkit.ts";
import { printSummary, printTable } from "./support/report.ts";
import { median } from "./support/rounds.ts";
import { makeScratch } from "./support/scratch.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "400" },
    /** Tracked files of the repository. */
    files: { type: "string", multiple: true, default: ["200", "9000"] },
  },
});
const COMMANDS = [
  ["git", "rev-parse", "--show-toplevel"],
  ["git", "-c", "core.quotePath=false", "status", "--porcelain=v1", "--branch"],
] as const;

for (const files of values.files) await measureRepository(Number(files));

async function measureRepository(files: number): Promise<void> {
  await using scratch = await makeScratch({ files });
  const { clone: cwd, env } = scratch;
  await Bun.write(join(cwd, "untracked.txt"), "new\n");
  const host = { platform: process.platform, environment: () => env };
  const policy = { defaultPolicy: "allow" } as const;
  const toolkit = createAgentToolkit(contextOn(host, { workspaceRoot: cwd, policy }));
  const summary = async () => {
    const result = await toolkit.gitStatusSummary();
    if (result.status !== "success") throw new Error(result.message);
  };
  const both = async () => {
    for (const command of COMMANDS) await rawOutput(command, { cwd, env });
  };
  const [raw, ours] = await inTurn([both, summary], Number(values.rounds));
  const ratios = (ours ?? []).map((ms, round) => ms / (raw?.[round] ?? Number.NaN));
  const row = (name: string, all: readonly number[] = []) => [
    name,
    ...[median(all), p95(all)].map((ms) => ms.toFixed(2)),
  ];
  printTable(
    `${files} files, ${values.rounds} rounds`,
    ["", "median ms", "p95 ms"],
    [row("two raw processes", raw), row("git_status_summary", ours)],
  );
  printSummary("git-status-summary", {
    files,
    raw_ms: median(raw ?? []),
    ratio_of_medians: median(ours ?? []) / median(raw ?? []),
    median_of_ratios: median(ratios),
    p95_ratio: p95(ours ?? []) / p95(raw ?? []),
    must: "ratio<=1.05,p95<=1.3",
  });
}

/** Milliseconds of each arm, round by round; each round begins with the other one. The first tenth warms up. */
async function inTurn(arms: readonly (() => Promise<void>)[], rounds: number): Promise<readonly number[][]> {
  const times: number[][] = arms.map(() => []);
  const warm = Math.ceil(rounds / 10);
  for (let round = 0; round < rounds + warm; round++)
    for (let turn = 0; turn < arms.length; turn++) {
      const arm = (round + turn) % arms.length;
      const began = performance.now();
      await arms[arm]?.();
      if (round >= warm) times[arm]?.push(performance.now() - began);
    }
  return times;
}

async function rawOutput(
  command: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<string> {
  const child = Bun.spawn([...command], { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [stdout] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return stdout;
}

function p95(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ?? Number.NaN;
}
