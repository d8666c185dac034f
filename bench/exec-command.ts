/** Measures `exec_command` against a raw spawn in the same runtime: one command, 64 at once, time limits, much output. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { RUNTIME } from "./support/program.ts";
import { printMeasures, printSummary, printTable } from "./support/report.ts";
import { median, medianOf, ratioOf } from "./support/rounds.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "200" },
    /** Node 22 or newer; what is on PATH unless told. */
    node: { type: "string", default: Bun.which("node") ?? "" },
    gibibytes: { type: "string", multiple: true, default: ["1", "10"] },
  },
});
const PROGRAM_FILE = join(import.meta.dir, "support/exec-program.ts");
const GRACE_MS = 500;

const folder = await mkdtemp(join(tmpdir(), "tazuna-bench-"));
try {
  for (const [name, argv] of await runtimes()) await measureRuntime(name, argv);
} finally {
  await rm(folder, { recursive: true });
}

/** Bun runs the source; Node gets the same program as one file. */
async function runtimes(): Promise<[string, string[]][]> {
  const bun: [string, string[]] = ["bun", [RUNTIME, PROGRAM_FILE]];
  const version = values.node === "" ? "" : textOf([values.node, "--version"]);
  if (!(Number.parseInt(version.slice(1), 10) >= 22)) {
    console.log(`Node 22 or newer is not there (${version.trim() || "none"}): measured on Bun only.`);
    return [bun];
  }
  const built = join(folder, "exec-program.mjs");
  textOf([RUNTIME, "build", "--target=node", `--outfile=${built}`, PROGRAM_FILE]);
  return [bun, ["node", [values.node, built]]];
}

async function measureRuntime(name: string, program: readonly string[]): Promise<void> {
  const ask = (...args: string[]) => JSON.parse(textOf([...program, ...args]));
  const spawned = new Map<string, number[]>(Object.entries(ask("spawn", values.rounds)));
  const limits = { direct: 1.15, default: 1.15 };
  printMeasures(`${name}: one \`true\`, ${values.rounds} rounds`, spawned, { raw: "raw", limits });
  const at64 = new Map<string, number[]>(Object.entries(ask("parallel", "15")));
  printMeasures(`${name}: 64 at once, 15 rounds`, at64, { raw: "raw", limits });
  const late = ask("timeout", "3");
  const beyond = Object.entries<number[]>(late.beyond);
  printTable(
    `${name}: settled after the limit of 500 ms, by so many ms`,
    ["", "median", "most", "must"],
    beyond.map(([what, ms]) => [
      what,
      median(ms).toFixed(0),
      Math.max(...ms).toFixed(0),
      `<= ${GRACE_MS + 100}`,
    ]),
  );
  const captured = values.gibibytes.map((size) => ({
    size,
    ours: ask("capture", size),
    raw: ask("capture-raw", size),
  }));
  printTable(
    `${name}: much output`,
    ["", "grown MiB", "raw MiB", "ratio of time", "exit code"],
    captured.map(({ size, ours, raw }) => [
      `${size} GiB`,
      ours.grown.toFixed(0),
      raw.grown.toFixed(0),
      (ours.ms / raw.ms).toFixed(2),
      String(ours.code),
    ]),
  );
  printSummary(`exec-command-${name}`, {
    raw_ms: medianOf(spawned, "raw"),
    direct: ratioOf(spawned, "direct", "raw"),
    default: ratioOf(spawned, "default", "raw"),
    direct64: ratioOf(at64, "direct", "raw"),
    default64: ratioOf(at64, "default", "raw"),
    beyond_ms: Math.round(Math.max(...beyond.flatMap(([, ms]) => ms))),
    left: late.left,
    lost: late.lost,
    grown_mib: captured.map(({ ours }) => ours.grown.toFixed(0)).join("/"),
    capture: captured.map(({ ours, raw }) => (ours.ms / raw.ms).toFixed(2)).join("/"),
    must: "ratios<=1.15,beyond<=600,left=0,grown<=50,capture<=1.4",
  });
}

function textOf(argv: readonly string[]): string {
  const ended = Bun.spawnSync([...argv], { stdout: "pipe", stderr: "pipe" });
  if (ended.exitCode !== 0) throw new Error(`${argv.join(" ")}: ${ended.stderr}`);
  return ended.stdout.toString();
}
