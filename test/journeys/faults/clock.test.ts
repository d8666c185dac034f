/** Sets the clock of all that Tazuna starts forward and back during a run: no limit, wait or order changes. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fakeTime } from "../../helpers/fake-time.ts";
import { ask, ending, exists, PATIENCE_MS, type TaskEnd } from "../../helpers/journey.ts";
import { postgres, postgresUrl } from "../../helpers/postgres-server.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { tempDir } from "../../helpers/temp-dir.ts";
import { deep } from "../../helpers/tier.ts";
import { whatIsWrong } from "../crash/what-is-wrong.ts";
import { holdable, type Phase, whileAt } from "./phases.ts";

setDefaultTimeout(PATIENCE_MS);

const { library, skipped } = fakeTime;

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };
const PHASES: readonly Phase[] = ["preparing", "agent", "checking", "pushing"];
/** As the library takes them: how far the clock is off. */
const JUMPS = { "a day ahead": "+1d", "a day back": "-1d", "ten years ahead": "+3650d" } as const;

describe.skipIf(library === null)(deep(`a clock that is set${skipped}`), () => {
  let product: Product;
  let folder: Awaited<ReturnType<typeof tempDir>>;

  /** For all processes of the product from now on; the clock that measures durations goes on as it was. */
  async function setClock(off: string): Promise<void> {
    const file = join(folder.path, "clock");
    await writeFile(`${file}.new`, `${off}\n`);
    await rename(`${file}.new`, file);
  }

  async function made(end: TaskEnd): Promise<readonly string[]> {
    const file = `${end.attempt.branch}:made.txt`;
    return (await product.sandbox.git(product.origin, ["cat-file", "-p", file])).split("\n");
  }

  beforeAll(async () => {
    folder = await tempDir();
    await setClock("+0");
    product = await startProduct({
      env: {
        LD_PRELOAD: library ?? "",
        FAKETIME_TIMESTAMP_FILE: join(folder.path, "clock"),
        FAKETIME_NO_CACHE: "1",
        FAKETIME_DONT_FAKE_MONOTONIC: "1",
        // The disk keeps its own time, as one of another machine does.
        NO_FAKE_STAT: "1",
      },
    });
    await holdable(product);
  });

  afterAll(async () => {
    try {
      await setClock("+0");
      expect(await whatIsWrong(product, { starts: null })).toEqual([]);
    } finally {
      await product[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    }
  });

  for (const [name, off] of Object.entries(JUMPS))
    test.each([...PHASES])(`${name} while a run is at \`%s\`: it goes on to its end, once`, async (phase) => {
      await setClock("+0");
      await product.tazuna(["list"]);
      const engine = await product.enginePid();
      const end = await whileAt(product, phase, () => setClock(off));
      expect<unknown>([ending(end.run), await made(end)]).toEqual([PUSHED, [end.run.id]]);
      expect(await product.enginePid()).toBe(engine);
      tally("fault", `clock ${off} at ${phase}`);
    });

  test("back to before the run began, then a follow-up: the order of what happened stays", async () => {
    await setClock("+0");
    const first = await whileAt(product, "agent", () => setClock("-1d"));
    const next = await ask(product, ["continue", first.attempt.id, "Go on"]);
    expect<unknown>([ending(next.run), await made(next)]).toEqual([PUSHED, [first.run.id, next.run.id]]);
    const shown = await product.tazuna(["show", first.attempt.id, "--json"]);
    const { runs } = shown.json<TaskEnd["attempt"]>();
    expect(runs.map(({ id }) => id)).toEqual([first.run.id, next.run.id]);
    tally("fault", "clock -1d between a run and its follow-up");
  });

  test("an engine that is killed while the clock is wrong finds its agent, and the next one goes on", async () => {
    await setClock("+0");
    const end = await whileAt(product, "agent", async () => {
      await setClock("+3650d");
      await product.killEngine();
      await product.tazuna(["list"]);
      await setClock("-1d");
      await product.killEngine();
      await product.tazuna(["list"]);
    });
    expect<unknown>([ending(end.run), await made(end)]).toEqual([PUSHED, [end.run.id]]);
    tally("fault", "clock +10 years, then -1 day, with an engine killed at each");
  });

  test("twenty days ahead for a while: nothing in the trash is deleted, and it comes back", async () => {
    await setClock("+0");
    const end = await ask(product, ["run", "Change it", "--agent", "agent"]);
    await ask(product, ["cancel", end.attempt.id]);
    await setClock("+20d");
    await product.killEngine();
    // A start looks what is due, and so does every hour; a whole run gives it the time.
    await ask(product, ["run", "Change it", "--agent", "agent"]);
    await setClock("+0");
    const back = await product.tazuna(["trash", "restore", end.attempt.id, "--json"]);
    expect(back.code).toBe(0);
    expect(await exists(join(end.attempt.worktree, "made.txt"))).toBe(true);
    tally("fault", "clock +20d while something is in the trash");
  });
});

test.skipIf(library === null || "missing" in postgres)(
  deep(`a clock that is not that of the Postgres is told by doctor${skipped}`),
  async () => {
    await using folder = await tempDir();
    const file = join(folder.path, "clock");
    await writeFile(file, "+600\n");
    await using product = await startProduct({
      env: {
        TAZUNA_DATABASE: String(await postgresUrl()),
        LD_PRELOAD: library ?? "",
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_NO_CACHE: "1",
        FAKETIME_DONT_FAKE_MONOTONIC: "1",
      },
    });
    const told = async () =>
      (await product.tazuna(["doctor", "--json"]))
        .json<{ findings: readonly { id: string; what: string }[] }>()
        .findings.flatMap(({ id, what }) => (id === "clock" ? [what] : []));
    await product.tazuna(["list"]);
    expect(await told()).toEqual([expect.stringMatching(/^This machine's clock is (?:599|60\d) s ahead of/)]);
    await writeFile(file, "+0\n");
    expect(await told()).toEqual([]);
  },
);
