/** Measures tool calls over MCP as a client waits for them, against the raw processes that they stand for; and the server's start. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { COMMAND, RUNTIME } from "./support/program.ts";
import { printSummary, printTable } from "./support/report.ts";
import { median } from "./support/rounds.ts";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "300" }, starts: { type: "string", default: "15" } },
});
const CLIENT = join(import.meta.dir, "support/mcp-calls.mjs");
const FILES = 200;
const STATUS = ["git", "-c", "core.quotePath=false", "status", "--porcelain=v1", "--branch"];
const PAIRS = [
  { name: "exec_command true, direct", raw: [["true"]], ...exec("direct"), must: "1.5" },
  { name: "exec_command true, by sh", raw: [["sh", "-c", "'true'"]], ...exec("default"), must: "1.5" },
  {
    name: "git_status_summary",
    raw: [["git", "rev-parse", "--show-toplevel"], STATUS],
    tool: "git_status_summary",
    args: {},
    must: "1.15 (p95 1.3)",
  },
];

interface Times {
  readonly started: readonly number[];
  readonly measured: readonly { name: string; raw: number[]; tool: number[] }[];
}

const cwd = await mkdtemp(join(tmpdir(), "tazuna-bench-"));
const env = { PATH: process.env.PATH ?? "", HOME: cwd, GIT_CONFIG_NOSYSTEM: "1" };
await makeRepository();
// Most agents are Node programs, and a process started by Node costs twice that of Bun: both are said.
const node = Bun.which("node");
if (node !== null) report("node", await measure([node, CLIENT]));
report("bun", await measure([RUNTIME, "--no-env-file", CLIENT]));
await rm(cwd, { recursive: true });

async function measure(client: readonly string[]): Promise<Times> {
  const order = {
    command: COMMAND,
    cwd,
    env,
    rounds: Number(values.rounds),
    starts: Number(values.starts),
    pairs: PAIRS,
  };
  return JSON.parse(await outputOf([...client, JSON.stringify(order)])) as Times;
}

function report(client: string, { started, measured }: Times): void {
  const rows = measured.map(({ name, raw, tool }) => ({
    name,
    raw: median(raw),
    tool: median(tool),
    ratio: median(tool.map((ms, at) => ms / (raw[at] ?? Number.NaN))),
    p95: high(tool) / high(raw),
  }));
  const min = Math.min(...started).toFixed(0);
  printTable(
    `mcp from ${client}, ${values.rounds} rounds; connected ${median(started).toFixed(0)} ms after the start (least ${min})`,
    ["", "raw ms", "tool ms", "ratio", "p95 ratio", "must"],
    rows.map(({ name, raw, tool, ratio, p95 }, at) => [
      name,
      ...[raw, tool, ratio, p95].map((value) => value.toFixed(2)),
      PAIRS[at]?.must ?? "",
    ]),
  );
  const [direct, shell, status] = rows;
  printSummary(`mcp_from_${client}`, {
    start_ms: median(started),
    exec: direct?.ratio ?? Number.NaN,
    exec_sh: shell?.ratio ?? Number.NaN,
    status: status?.ratio ?? Number.NaN,
    status_p95: status?.p95 ?? Number.NaN,
    must: "exec<1.5,status<1.15,status_p95<1.3",
  });
}

function exec(shell_mode: string) {
  return { tool: "exec_command", args: { cwd: ".", command: ["true"], shell_mode } };
}

function high(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
}

async function makeRepository(): Promise<void> {
  await outputOf(["git", "init", "--quiet", "--initial-branch=main"]);
  for (let file = 0; file < FILES; file++)
    await Bun.write(join(cwd, `src/${file % 20}/file-${file}.ts`), `${file}\n`);
  const who = ["-c", "user.name=bench", "-c", "user.email=bench@example.org"];
  await outputOf(["git", "add", "--all"]);
  await outputOf(["git", ...who, "commit", "--quiet", "--message=files"]);
}

async function outputOf(argv: readonly string[]): Promise<string> {
  const child = Bun.spawn([...argv], { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  const [output, code] = await Promise.all([child.stdout.text(), child.exited]);
  if (code !== 0) throw new Error(`${argv[0]} ended with ${code}`);
  return output;
}
