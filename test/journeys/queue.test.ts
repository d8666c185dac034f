/** Tells what a person may do with follow-ups that wait: see them, change their words and their order, take them out. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunDocument } from "../../src/contract/task-document.ts";
import { ask, gate, noteCodes, PATIENCE_MS, refused, subjects, type TaskEnd } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = "SUCCEEDED pushed";
const CANCELED = "CANCELED null";

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  // Does what the instruction says: a shell script in words.
  await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
});

afterAll(() => product[Symbol.asyncDispose]());

let gates = 0;

/** An attempt whose first run waits at a gate, with these follow-ups behind it. */
async function waiting(...scripts: readonly string[]) {
  gates += 1;
  const barrier = gate(product, `queue-${gates}`);
  const start = ["run", `${barrier.wait}; echo ${gates} > first.txt`, "--agent", "doer", "--detach"];
  const { attempt, run: first } = await ask(product, start);
  await barrier.reached();
  const runs: RunDocument[] = [];
  for (const script of scripts)
    runs.push((await ask(product, ["continue", attempt.id, script, "--detach"])).run);
  return {
    id: attempt.id,
    first: first.id,
    branch: attempt.branch,
    runs,
    open: barrier.open,
    [Symbol.asyncDispose]: barrier.open,
  };
}

const queue = async (...args: readonly string[]) =>
  (await product.tazuna(["queue", ...args, "--json"])).json<{ readonly queue: readonly RunDocument[] }>()
    .queue;
const ids = (runs: readonly { readonly id: string }[]) => runs.map(({ id }) => id);
const ended = (id: string) => ask(product, ["wait", id]);

test(
  deep("what waits is shown in its order, edited, moved and removed; then it works in that order"),
  async () => {
    await using place = await waiting("echo two > two.txt", "echo three > three.txt", "echo four > four.txt");
    const [two, three, four] = place.runs;
    expect((await queue(place.id)).map((run) => [run.id, run.position, run.held, run.instruction])).toEqual(
      place.runs.map((run, index) => [run.id, index + 1, false, run.instruction]),
    );
    expect(ids(await queue(place.id.slice(0, 8), "move", four?.id.slice(0, 8) ?? "", "1"))).toEqual(
      ids([four, two, three] as RunDocument[]),
    );
    const edited = await queue(place.id, "edit", two?.id ?? "", " echo new > two.txt ");
    expect(edited.map(({ number, position, instruction }) => [number, position, instruction])).toEqual([
      [4, 1, "echo four > four.txt"],
      [2, 2, "echo new > two.txt"],
      [3, 3, "echo three > three.txt"],
    ]);
    expect(ids(await queue(place.id, "remove", three?.id ?? ""))).toEqual(ids([four, two] as RunDocument[]));
    const shown = (await product.tazuna(["queue", place.id])).stdout;
    expect(shown.split("\n").map((line) => line.trimEnd())).toEqual([
      "PLACE  RUN       STATE                        WORDS",
      `1      ${four?.id.slice(0, 8)}  Waits for the run before it  echo four > four.txt`,
      `2      ${two?.id.slice(0, 8)}  Waits for the run before it  echo new > two.txt`,
      "",
    ]);
    expect((await product.tazuna(["show", two?.id ?? ""])).stdout).toContain(
      "2 in the queue of its attempt\n",
    );
    await place.open();
    const end = await ended(place.id);
    expect(end.attempt.runs.map((run) => [run.number, run.position, `${run.status} ${run.outcome}`])).toEqual(
      [
        [1, null, PUSHED],
        [4, null, PUSHED],
        [2, null, PUSHED],
        [3, null, CANCELED],
      ],
    );
    expect(await subjects(product, product.origin, place.branch)).toHaveLength(3);
    expect((await subjects(product, product.origin, place.branch)).slice(0, 2)).toEqual([
      "Echo new > two.txt",
      "Echo four > four.txt",
    ]);
    expect([end.attempt.state, end.attempt.commit]).toEqual(["pushed", end.attempt.runs[2]?.commit ?? ""]);
    expect((await product.tazuna(["queue", place.id])).stdout).toBe("Nothing waits in its queue.\n");
  },
);

test(deep("a run that was removed keeps its words, never begins, and may be removed again"), async () => {
  await using place = await waiting("echo two > two.txt");
  const two = place.runs[0]?.id ?? "";
  await queue(place.id, "remove", two);
  expect(await queue(place.id, "remove", two)).toEqual([]);
  await place.open();
  await ended(place.id);
  const run = (await product.tazuna(["show", two, "--json"])).json<RunDocument>();
  expect([run.status, run.instruction, run.started_at, noteCodes(run)]).toEqual([
    "CANCELED",
    "echo two > two.txt",
    null,
    ["removed_from_queue"],
  ]);
  expect((await product.tazuna(["show", two])).stdout).toContain(
    "It was removed from the queue before it began.\n",
  );
  expect((await ended(place.id)).attempt.state).toBe("pushed");
});

test(
  deep(
    "held follow-ups can be edited, ordered and removed; a retry goes before them whatever was sent later",
  ),
  async () => {
    await using place = await waiting("echo two > two.txt", "echo three > three.txt");
    const [two, three] = place.runs;
    const stopped = await ask(product, ["stop", place.id]);
    expect(stopped.attempt.runs[0]?.status).toBe("CANCELED");
    expect((await queue(place.id, "move", three?.id ?? "", "1")).map(({ id, held }) => [id, held])).toEqual([
      [three?.id ?? "", true],
      [two?.id ?? "", true],
    ]);
    expect((await product.tazuna(["queue", place.id])).stdout).toContain(
      `Held runs begin once you send something: \`tazuna continue ${place.id.slice(0, 8)} "..."\`.\n`,
    );
    await place.open();
    // Its run waits in front of the held ones, where none can be put before it.
    const retried = await ask(product, ["retry", stopped.attempt.runs[0]?.id ?? ""]);
    expect(retried.code).toBe(0);
    const end = await ended(two?.id ?? "");
    expect(end.attempt.runs.map(({ number, status }) => [number, status])).toEqual([
      [1, "CANCELED"],
      [4, "SUCCEEDED"],
      [3, "SUCCEEDED"],
      [2, "SUCCEEDED"],
    ]);
    expect(end.attempt.commit).toBe(end.attempt.runs[3]?.commit ?? "");
    // What an agent is told of earlier turns follows the order of the work, not the numbers.
    const told = await readFile(join(product.home, "runs", two?.id ?? "", "prompt.txt"), "utf8");
    expect(told).toContain("Person: echo three > three.txt");
  },
);

test(
  deep("my own edits that wait get another message; --merge-base and --resolve stay with edited words"),
  async () => {
    await using place = await waiting();
    const mine = await ask(product, ["continue", place.id, "--message", "Mine", "--detach"]);
    const merges = await ask(product, [
      "continue",
      place.id,
      "echo a > a.txt",
      "--merge-base",
      "--resolve",
      "--detach",
    ]);
    const only = await ask(product, ["continue", place.id, "--resolve", "--detach"]);
    const [edits, words, conflicts] = [mine, merges, only].map(newest);
    await queue(place.id, "edit", edits?.id ?? "", "Water them");
    await queue(place.id, "edit", words?.id ?? "", "echo b > b.txt");
    expect((await queue(place.id)).map(({ kind, instruction }) => [kind, instruction])).toEqual([
      ["commit", "Water them"],
      ["agent", "echo b > b.txt"],
      ["agent", expect.stringContaining("Resolve the conflicts")],
    ]);
    const fixed = await refused(product, ["queue", place.id, "edit", conflicts?.id ?? "", "x"]);
    expect([fixed.code, fixed.error.code]).toEqual([1, "words_fixed"]);
    expect(
      (await refused(product, ["queue", place.id, "edit", edits?.id ?? "", "x".repeat(20_001)])).error.code,
    ).toBe("message_too_long");
    await product.sandbox.git(product.repository, ["commit", "--quiet", "--allow-empty", "-m", "Base"]);
    await product.sandbox.git(product.repository, ["push", "--quiet", "origin", "main"]);
    await place.open();
    const end = await ended(place.id);
    const log = await product.sandbox.git(product.origin, ["log", "--format=%s", end.attempt.branch]);
    // The base is merged in, as was asked for with the words that were there first.
    expect(log.split("\n")).toContain("Base");
    expect(log.split("\n")).toContain("Echo b > b.txt");
  },
);

describe("what cannot be changed is refused with what can be done", () => {
  test(
    deep("a run that works or has ended, the run that begins the attempt, and places that are not there"),
    async () => {
      await using place = await waiting("echo two > two.txt");
      const { id } = place;
      const two = place.runs[0]?.id ?? "";
      const first = place.first;
      const codes = async (...args: readonly string[]) => {
        const { code, error } = await refused(product, ["queue", id, ...args]);
        return `${code} ${error.code}`;
      };
      expect([
        await codes("edit", first, "x"),
        await codes("move", first, "1"),
        await codes("remove", first),
        await codes("move", two, "2"),
        await codes("move", two, "999999999"),
      ]).toEqual(["1 run_began", "1 run_began", "1 run_began", "1 no_such_position", "1 no_such_position"]);
      await place.open();
      await ended(id);
      expect([await codes("edit", two, "x"), await codes("remove", two)]).toEqual([
        "1 run_ended",
        "1 run_ended",
      ]);
    },
  );

  test(
    deep(
      "the run that begins the attempt: its words are the task's, it stays first, and to remove it is to cancel",
    ),
    async () => {
      await using _busy = await waiting();
      await product.configure({ limits: { parallel: 1 } });
      try {
        const { attempt, run } = await ask(product, [
          "run",
          "echo one > one.txt",
          "--agent",
          "doer",
          "--detach",
        ]);
        const more = await ask(product, ["continue", attempt.id, "echo two > two.txt", "--detach"]);
        const refusal = async (...args: readonly string[]) =>
          (await refused(product, ["queue", attempt.id, ...args])).error;
        expect((await refusal("edit", run.id, "x")).code).toBe("words_fixed");
        expect((await refusal("move", more.run.id, "1")).code).toBe("no_such_position");
        const removal = await refusal("remove", run.id);
        expect([removal.code, removal.remedy]).toEqual([
          "begins_attempt",
          `\`tazuna cancel ${attempt.id.slice(0, 8)}\` ends the attempt.`,
        ]);
        expect(ids(await queue(attempt.id))).toEqual([run.id, more.run.id]);
      } finally {
        await product.configure({ limits: {} });
      }
    },
  );
});

function newest({ attempt }: TaskEnd): RunDocument | undefined {
  return attempt.runs.toSorted((one, other) => one.number - other.number).at(-1);
}

test(
  deep(
    "an edit at the moment at which its run begins holds for it, or is refused; the agent gets what was answered",
  ),
  async () => {
    for (let round = 0; round < 8; round++) {
      await using place = await waiting("echo old > two.txt");
      const two = place.runs[0]?.id ?? "";
      const going = place.open();
      // A command takes about as long to start as the run takes to begin.
      for (let turn = 0; turn < round; turn++) await product.tazuna(["--version"]);
      const edit = await product.tazuna(["queue", place.id, "edit", two, "echo new > two.txt", "--json"]);
      await going;
      const end = await ended(place.id);
      const told = await product.sandbox.git(product.origin, ["show", `${end.attempt.branch}:two.txt`]);
      expect([edit.code, told]).toEqual(edit.code === 0 ? [0, "new"] : [1, "old"]);
    }
  },
);
