/**
 * Measures exec_command within one runtime, Bun or Node, and prints one line of JSON:
 * `exec-program.ts spawn|parallel ROUNDS`, `timeout ROUNDS`, `capture|capture-raw GIBIBYTES`.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { createAgentToolkit, createToolContext } from "../../src/lib.ts";
import { findMarked } from "../../src/utils/programs/process-identity.ts";

const [measure = "", count = "1"] = process.argv.slice(2);
const AT_ONCE = 64;
const LIMIT_MS = 500;
const MARK = { name: "TAZUNA_BENCH_EXEC", value: String(process.pid) };
process.env[MARK.name] = MARK.value;
const cwd = tmpdir();
const toolkit = createAgentToolkit(
  createToolContext({ workspaceRoot: cwd, policy: { tools: { exec_command: "allow" } } }),
);

type Times = Record<string, number[]>;

/** What a program without any care does: the runtime's own spawn, output read to its end. */
const raw = typeof Bun === "undefined" ? rawOnNode : rawOnBun;

function rawOnNode(argv: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const [program = "", ...args] = argv;
    const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.resume();
    child.stderr.resume();
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? -1));
  });
}

async function rawOnBun(argv: readonly string[]): Promise<number> {
  const child = Bun.spawn([...argv], { cwd, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const drained = [child.stdout, child.stderr].map(async (stream) => {
    const reader = stream.getReader();
    while (!(await reader.read()).done);
  });
  await Promise.all(drained);
  return await child.exited;
}

function ours(shell_mode: "direct" | "default") {
  return async (argv: readonly string[], timeout_ms = 120_000) => {
    const result = await toolkit.execCommand(cwd, argv, { shell_mode, timeout_ms });
    if (result.status !== "success") throw new Error(result.message);
    return result.data;
  };
}

const ARMS = {
  raw,
  "raw sh -c": (argv: readonly string[]) => raw(["/bin/sh", "-c", argv.join(" ")]),
  direct: ours("direct"),
  default: ours("default"),
};

/** Every arm once a round, each round beginning with another one. */
async function rounds(act: (arm: (typeof ARMS)[keyof typeof ARMS]) => Promise<unknown>): Promise<Times> {
  const arms = Object.entries(ARMS);
  const times: Times = {};
  for (let round = -5; round < Number(count); round++)
    for (let turn = 0; turn < arms.length; turn++) {
      const [name, arm] = arms[(turn + Math.max(0, round)) % arms.length] ?? ["raw", raw];
      const began = performance.now();
      await act(arm);
      const took = performance.now() - began;
      if (round >= 0) times[name] = [...(times[name] ?? []), took];
    }
  return times;
}

/** Each works beyond any limit unless it is stopped. */
const STUBBORN = {
  "obeys TERM": "echo up; sleep 300",
  "grandchild ignores TERM, holds the pipe": "(trap '' TERM; sleep 300; sleep 300) & echo up; sleep 300",
  "grandchild in a session of its own": `setsid sh -c '(trap "" TERM; sleep 300; sleep 300) &' & echo up; sleep 300`,
  "double fork": "((trap '' TERM; sleep 300; true) &); echo up; sleep 300",
};

async function timeouts(): Promise<Record<string, unknown>> {
  const beyond: Times = {};
  let [left, lost] = [0, 0];
  for (let round = 0; round < Number(count); round++)
    for (const [name, script] of Object.entries(STUBBORN)) {
      const began = performance.now();
      const data = await ours("direct")(["sh", "-c", script], LIMIT_MS);
      beyond[name] = [...(beyond[name] ?? []), performance.now() - began - LIMIT_MS];
      if (!data.timed_out || data.exit_code !== 124 || data.stdout !== "up\n") lost += 1;
      left += (await findMarked(MARK)).length;
    }
  return { beyond, left, lost };
}

async function capture(run: (argv: readonly string[]) => Promise<unknown>): Promise<Record<string, unknown>> {
  const peak = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1024;
  const argv = (bytes: number) => ["sh", "-c", `head -c ${bytes} /dev/zero; exit 7`];
  await run(argv(10_000_000));
  const [before, began] = [peak(), performance.now()];
  const ended = await run(argv(Number(count) * 2 ** 30));
  const code = typeof ended === "number" ? ended : (ended as { readonly exit_code: number }).exit_code;
  return { ms: performance.now() - began, grown: peak() - before, code };
}

const MEASURES: Readonly<Record<string, () => Promise<unknown>>> = {
  spawn: () => rounds((arm) => arm(["true"])),
  parallel: () => rounds((arm) => Promise.all(Array.from({ length: AT_ONCE }, () => arm(["true"])))),
  timeout: timeouts,
  capture: () => capture(ARMS.direct),
  "capture-raw": () => capture(ARMS.raw),
};
console.log(JSON.stringify(await MEASURES[measure]?.()));
