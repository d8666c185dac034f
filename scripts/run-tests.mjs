// Runs the tests of a tier in a few workers, and says at the end why some failed and how many there were.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { buildTestProduct } from "./build-test-product.mjs";
import { collectReasons } from "./reasons.mjs";

/** Stands behind the title of a test that only the deep tier runs (`test/helpers/tier.ts`). */
const DEEP = "\\[deep\\]";

/** Test files at once for each core: tests wait for processes and clocks for a third of their time, deep ones for half. */
const PER_CORE = { test: 1.5, "test:deep": 2 };

/** How Bun is called. Who names files or titles gets all their tests from `test`, and the deep ones of them from `test:deep`. */
export function testArguments(tier, given, env = process.env) {
  const workers = Number(env.TAZUNA_TEST_WORKERS) || Math.ceil(availableParallelism() * PER_CORE[tier]);
  // The longest files come first, so that no worker is left alone with one at the end.
  const fixed = [`--parallel=${workers}`, "--timeout", "60000", "--timings=test/timings.json"];
  return ["test", ...fixed, ...only(tier, given), ...given];
}

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
  if (tier === "test:deep" && given.length === 0) drawCases();
  const reasons = collectReasons();
  let tail = "";
  const code = await run(testArguments(tier, given), {
    onOutput: (chunk, to) => {
      to.write(chunk);
      const text = stripVTControlCharacters(chunk.toString());
      reasons.take(text, to);
      tail = (tail + text).slice(-20_000);
    },
  });
  product.remove();
  scratch?.remove();
  if (code !== 0) for (const reason of reasons.said()) console.log(`${reason}\n`);
  console.log(summaryLine(tail));
  return code;
}

/** Of large tables the deep tests play one case of so many. Who names files gets all of theirs. */
const ONE_OF = 12;

/** Sets by what the cases are drawn, and says it, so that the same ones can be played again. */
function drawCases(env = process.env) {
  env.TAZUNA_CRASH_SEED ||= String(Math.floor(Math.random() * 2 ** 31));
  env.TAZUNA_DEEP_ONE_OF ||= String(ONE_OF);
  const { TAZUNA_CRASH_SEED: seed, TAZUNA_DEEP_ONE_OF: share } = env;
  console.log(
    `Of large tables one case of ${share} is played, drawn by TAZUNA_CRASH_SEED=${seed} (TAZUNA_DEEP_ONE_OF=1 plays all).`,
  );
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
function summaryLine(text) {
  const count = (word) => {
    const found = [...text.matchAll(new RegExp(`^\\s*(\\d+) ${word}$`, "gm"))].at(-1);
    return found ? Number(found[1]) : 0;
  };
  return `${count("pass")} passed, ${count("fail")} failed, ${count("skip")} skipped`;
}
