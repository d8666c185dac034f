/** Measures how long `tazuna --help` takes, against the start of the bare runtime. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { nowMs } from "./support/clock.ts";
import { COMMAND, PROGRAM, RUNTIME } from "./support/program.ts";
import { printMeasures, printSummary } from "./support/report.ts";
import { type Arm, measureRounds, median, medianOf } from "./support/rounds.ts";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "25" } } });
const RAW = "the runtime with an empty program";
const HELP = "tazuna --help";
const SCRIPT = "bin/tazuna --help";
const MUST_MS = 60;

const folder = await mkdtemp(join(tmpdir(), "tazuna-bench-"));
const empty = join(folder, "empty.ts");
await writeFile(empty, "export {};\n");
const measured = await measureRounds(
  [
    arm(RAW, [RUNTIME, "--no-env-file", empty]),
    arm(HELP, [...PROGRAM, "--help"]),
    arm(SCRIPT, [COMMAND, "--help"]),
  ],
  Number(values.rounds),
);
await rm(folder, { recursive: true });

printMeasures(`help, ${values.rounds} rounds`, measured, { raw: RAW, limits: {} });
const more = (measure: string) =>
  median((measured.get(measure) ?? []).map((ms, round) => ms - (measured.get(RAW)?.[round] ?? Number.NaN)));
printSummary("help", {
  runtime_ms: medianOf(measured, RAW),
  more_ms: more(HELP),
  script_more_ms: more(SCRIPT),
  must: `more_ms<${MUST_MS}`,
});

function arm(name: string, argv: readonly string[]): Arm {
  return {
    name,
    run: async () => {
      const began = nowMs();
      const ended = Bun.spawnSync([...argv], {
        cwd: folder,
        env: { PATH: process.env.PATH ?? "", HOME: folder },
      });
      const took = nowMs() - began;
      if (ended.exitCode !== 0) throw new Error(`${name}: ${ended.stderr}`);
      return { [name]: took };
    },
  };
}
