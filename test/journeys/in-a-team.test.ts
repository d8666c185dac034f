/** Plays a drawn few of the journeys again, on a Postgres that a second worker shares. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { postgres } from "../helpers/postgres-server.ts";
import { deep, drawnFew } from "../helpers/tier.ts";

/** Those of up to a minute that say most about runs. `TAZUNA_TEST_TEAM=1` plays any other one. */
const JOURNEYS = [
  "answer-rules",
  "compose",
  "continue",
  "decide",
  "notify",
  "publish",
  "questions",
  "queue",
  "restore-run",
  "run",
  "stop-cancel-retry",
  "trash",
  "undo",
  "crash/asked-again",
  "crash/clean-killed",
];

/** Two of them take about 90 s. This is for a machine that is ten times slower. */
const LIMIT_MS = 900_000;

test.skipIf("missing" in postgres).each(drawnFew(JOURNEYS, 2, "team"))(
  deep(
    "missing" in postgres
      ? `%s goes the same on two workers (skipped: ${postgres.missing})`
      : "%s goes the same on two workers",
  ),
  async (name) => {
    const { code, output } = await playInTeam(name);
    expect({ code, output: code === 0 ? "" : output }).toEqual({ code: 0, output: "" });
    expect(output).toMatch(/^ *[1-9]\d* pass$/m);
  },
  LIMIT_MS,
);

/** A run of the tests by itself: its Postgres ends with it. */
async function playInTeam(name: string): Promise<{ readonly code: number; readonly output: string }> {
  const { BUN_TEST_WORKER_ID: _, ...env } = process.env;
  await using child = Bun.spawn(
    [process.execPath, "test", "--timeout", "150000", join(import.meta.dir, `${name}.test.ts`)],
    {
      cwd: join(import.meta.dir, "../.."),
      env: { ...env, TAZUNA_TEST_TEAM: "1" },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, output: `${stdout}${stderr}`.slice(-20_000) };
}
