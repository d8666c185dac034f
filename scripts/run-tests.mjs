// Runs the tests of a tier in a few workers, and says at the end why some failed and how many there were.
import { availableParallelism } from "node:os";
import { stripVTControlCharacters } from "node:util";
import { buildTestProduct } from "./build-test-product.mjs";
import { collectReasons } from "./reasons.mjs";

/** Stands behind the title of a test that only the deep tier runs (`test/helpers/tier.ts`). */
const DEEP = "\\[deep\\]";

/** How Bun is called. Who names files or titles gets all their tests from `test`, and the deep ones of them from `test:deep`. */
export function testArguments(tier, given, env = process.env) {
  const workers = Number(env.TAZUNA_TEST_WORKERS) || availableParallelism();
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
  const product = buildTestProduct(process.cwd());
  process.env.TAZUNA_TEST_PRODUCT = product.folder;
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
  if (code !== 0) for (const reason of reasons.said()) console.log(`${reason}\n`);
  console.log(summaryLine(tail));
  return code;
}

/** The counts of the last summary that the test runner printed, as one line that any reader knows. */
function summaryLine(text) {
  const count = (word) => {
    const found = [...text.matchAll(new RegExp(`^\\s*(\\d+) ${word}$`, "gm"))].at(-1);
    return found ? Number(found[1]) : 0;
  };
  return `${count("pass")} passed, ${count("fail")} failed, ${count("skip")} skipped`;
}
