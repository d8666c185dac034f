/** Counts what the hostile and crash suites try and whether any of it came through: the figures of docs/status.md. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { printSummary } from "./support/report.ts";

/** Rooms whose tests say what they try (`test/helpers/tally.ts`); others of those named by the caller are run and counted too. */
const ROOMS = ["test/journeys/hostile", "test/journeys/crash", "test/journeys/faults"];

const rooms = process.argv.length > 2 ? process.argv.slice(2) : ROOMS;
const folder = await mkdtemp(join(tmpdir(), "tazuna-reins-"));
const file = join(folder, "tally");
const suite = Bun.spawn([process.execPath, "test", ...rooms], {
  env: { ...process.env, TAZUNA_TALLY: file },
  stdout: "inherit",
  stderr: "inherit",
});
const code = await suite.exited;
const lines = (await readFile(file, "utf8").catch(() => "")).split("\n").filter(Boolean);
await rm(folder, { recursive: true });

const count = (start: string) => lines.filter((line) => line.startsWith(start)).length;
printSummary("reins", {
  attacks: count("attack "),
  under_sandbox: count("attack sandbox "),
  under_guard: count("attack guard "),
  faults: count("fault "),
  kills: count("kill "),
  came_through: code === 0 ? "none" : "see the failed tests above",
});
process.exit(code);
