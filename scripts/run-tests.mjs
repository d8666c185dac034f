// Runs the tests of a tier in a few workers, and says at the end why some failed and how many there were.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { buildTestProduct } from "./build-test-product.mjs";
import { collectReasons } from "./reasons.mjs";

/** Stands behind the title of a test that only the deep tier runs (`test/helpers/tier.ts`). */
const DEEP = "\\[deep\\]";

/**
 * Test files at once for each core: tests wait for processes and clocks for a third of their time. Of the deep ones more
 * would fit, but each of those may start a browser and several agents.
 */
const PER_CORE = 1.5;

/** How Bun is called. Who names files or titles gets all their tests from `test`, and the deep ones of them from `test:deep`. */
export function testArguments(tier, given, env = process.env, timings = TIMINGS) {
  const workers = Number(env.TAZUNA_TEST_WORKERS) || Math.ceil(availableParallelism() * PER_CORE);
  // The longest files come first, so that no worker is left alone with one at the end.
  const fixed = [`--parallel=${workers}`, "--timeout", "150000", `--timings=${timings}`];
  return ["test", ...fixed, ...only(tier, given), ...given];
}

const TIMINGS = "test/timings.json";

function only(tier, given) {
  if (tier === "test:deep") return ["--test-name-pattern", DEEP];
  return given.length === 0 ? ["--test-name-pattern", `^(?!.*${DEEP})`] : [];
}

/** `run(args, { onOutput })` starts Bun and answers its exit code. */
export async function runTests(tier, given, run) {
  const scratch = scratchInMemory();
  if (scratch !== null) process.env.TMPDIR = scratch.folder;
  const product = buildTestProduct(process.cwd());
  process.env.TAZUNA_TEST_PRODUCT = product.folder;
  const drawn = tier === "test:deep" && given.length === 0 ? drawCases() : null;
  const reasons = collectReasons();
  let tail = "";
  let leftOut = 0;
  const code = await run(testArguments(tier, given, process.env, drawn?.timings), {
    onOutput: (chunk, to) => {
      to.write(chunk);
      const text = stripVTControlCharacters(chunk.toString());
      reasons.take(text, to);
      leftOut += text.split(LEFT_OUT).length - 1;
      tail = (tail + text).slice(-20_000);
    },
  });
  product.remove();
  drawn?.remove();
  scratch?.remove();
  if (code !== 0) for (const reason of reasons.said()) console.log(`${reason}\n`);
  if (leftOut > 0)
    console.log(
      `${leftOut} deep tests are skipped, since their time is over (TAZUNA_DEEP_MINUTES=0 plays all).`,
    );
  console.log(summaryLine(tail, leftOut));
  return code;
}

/** Of large tables the deep tests play one case of so many. Who names files gets all of theirs. */
const ONE_OF = 12;
/** Files that are not begun by then are left out, so that a slow machine comes to an end too. */
const MINUTES = 12;
/** Begins the line of each test that is left out (`test/helpers/tier.ts`). */
const LEFT_OUT = "(left out, since the time of the deep tests is over)";
/** Files that take longer come first, so that none of them begins at the end. */
const LONG_MS = 60_000;
/** Played each time, and before any other: nothing else tests what a person sees. */
const ALWAYS = "test/browser/";
/** More than any file takes. */
const ALWAYS_MS = 3_600_000;

/**
 * Sets by what cases are drawn, and how long the deep tests may take, and says both, so that the same can be played
 * again. The answered file of timings puts short files into an order of that draw: time never leaves out the same ones.
 */
function drawCases(env = process.env) {
  env.TAZUNA_CRASH_SEED ||= String(seedOfCommit() ?? Math.floor(Math.random() * 2 ** 31));
  env.TAZUNA_DEEP_ONE_OF ||= String(ONE_OF);
  env.TAZUNA_DEEP_MINUTES ||= String(MINUTES);
  const { TAZUNA_CRASH_SEED: seed, TAZUNA_DEEP_ONE_OF: share, TAZUNA_DEEP_MINUTES: minutes } = env;
  if (Number(minutes) > 0) env.TAZUNA_DEEP_UNTIL = String(Date.now() + Number(minutes) * 60_000);
  console.log(
    `Of large tables one case of ${share} is played, drawn by TAZUNA_CRASH_SEED=${seed} (TAZUNA_DEEP_ONE_OF=1 plays all).`,
  );
  const folder = mkdtempSync(join(tmpdir(), "tazuna-timings-"));
  const timings = join(folder, "timings.json");
  writeFileSync(timings, JSON.stringify({ version: 1, files: inDrawnOrder(seed) }));
  return { timings, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * One commit draws the same cases each time, so a case that failed is played again and can be found. The next commit
 * draws others. Null outside of git.
 */
function seedOfCommit() {
  const head = spawnSync("git", ["rev-parse", "--verify", "HEAD"], { encoding: "utf8" });
  return head.status === 0 ? Number.parseInt(head.stdout.slice(0, 8), 16) % 2 ** 31 : null;
}

function inDrawnOrder(seed) {
  const { files } = JSON.parse(readFileSync(TIMINGS, "utf8"));
  const place = (file) => createHash("sha256").update(`${seed} ${file}`).digest().readUInt32BE() % LONG_MS;
  const all = readdirSync("test", { recursive: true })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `test/${name.replaceAll("\\", "/")}`);
  const turnOf = (file) => {
    if (file.startsWith(ALWAYS)) return ALWAYS_MS + (files[file] ?? 0);
    return files[file] > LONG_MS ? files[file] : place(file);
  };
  return Object.fromEntries(all.map((file) => [file, turnOf(file)]));
}

/** The type of a file system in memory, as statfs(2) gives it on Linux. */
const TMPFS = 0x01021994;
const MIN_FREE_BYTES = 4 * 2 ** 30;

/**
 * A temporary folder in memory, or null if there is none. The tests make and delete a million files, and a disk takes
 * half of their time for that. Set TMPDIR to run them on a disk.
 */
export function scratchInMemory(place = "/dev/shm", env = process.env) {
  if (env.TMPDIR) return null;
  let folder = null;
  const remove = () => folder !== null && rmSync(folder, { recursive: true, force: true });
  try {
    const { type, bavail, bsize } = statfsSync(place);
    if (type !== TMPFS || bavail * bsize < MIN_FREE_BYTES) return null;
    folder = mkdtempSync(join(place, "tazuna-tests-"));
    // Other users work in it too, as in /tmp: a Postgres does not start as root.
    chmodSync(folder, 0o1777);
    const program = join(folder, "program");
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
    if (spawnSync(program).status === 0) return { folder, remove };
  } catch {
    // No such place, or no right to write there.
  }
  remove();
  return null;
}

/** The counts of the last summary that the test runner printed, as one line that any reader knows. */
function summaryLine(text, leftOut) {
  const count = (word) => {
    const found = [...text.matchAll(new RegExp(`^\\s*(\\d+) ${word}$`, "gm"))].at(-1);
    return found ? Number(found[1]) : 0;
  };
  return `${count("pass")} passed, ${count("fail")} failed, ${count("skip") + leftOut} skipped`;
}
