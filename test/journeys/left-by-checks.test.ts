/** Tells what becomes of files that a check leaves in the worktree: they are not committed until they are edited. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunDocument } from "../../src/contract/task-document.ts";
import {
  ask,
  changedPaths,
  ending,
  fileAt,
  gate,
  noteCodes,
  PATIENCE_MS,
  type TaskEnd,
} from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };
const NO_CHANGES = { status: "SUCCEEDED", outcome: "no_changes" };

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
  await product.sandbox.commitTo(product.origin, "counted", {
    "counter.txt": "0\n",
    "gone.txt": "gone\n",
  });
});

afterAll(() => product[Symbol.asyncDispose]());

const check = (run: string, name = "test") => ({ checks: [{ name, run }] });
const run = (script: string, ...more: string[]) =>
  ask(product, ["run", script, "--agent", "doer", "--base", "counted", ...more]);
const next = (end: TaskEnd, ...script: string[]) => ask(product, ["continue", end.attempt.id, ...script]);
const here = (end: TaskEnd, path: string) => readFile(join(end.attempt.worktree, path), "utf8");

/** How a run ended and which paths its commit holds. */
async function committed(end: TaskEnd) {
  return { ending: ending(end.run), paths: await changedPaths(product, product.origin, end.attempt.branch) };
}

const left = ({ notes }: RunDocument) =>
  notes.filter(({ code }) => code === "left_by_check").map(({ details }) => details.path);

test(
  deep("a check's files stay out of later commits while they are unchanged; edited, they are the agent's"),
  async () => {
    await product.configure(check("echo '90 %' > report.txt; echo 1 > counter.txt; rm gone.txt"));
    const first = await run("echo one > one.txt");
    expect<unknown>(await committed(first)).toEqual({ ending: PUSHED, paths: ["one.txt"] });
    await product.configure(check("true"));
    const second = await next(first, "echo two > two.txt");
    expect<unknown>({
      ...(await committed(second)),
      left: left(second.run),
      there: [await here(second, "report.txt"), await here(second, "counter.txt")],
      said: second.run.notes[0]?.message,
    }).toEqual({
      ending: PUSHED,
      paths: ["two.txt"],
      left: ["counter.txt", "gone.txt", "report.txt"],
      there: ["90 %\n", "1\n"],
      said: "counter.txt is as the check test left it and is not committed",
    });
    const third = await next(first, "echo 'mine' >> report.txt");
    expect<unknown>({
      ...(await committed(third)),
      left: left(third.run),
      report: await fileAt(product, product.origin, third.attempt.branch, "report.txt"),
    }).toEqual({
      ending: PUSHED,
      paths: ["report.txt"],
      left: ["counter.txt", "gone.txt"],
      report: "90 %\nmine",
    });
    // The check's own version again, over the one that was committed: a change like any other.
    const fourth = await next(first, "echo '90 %' > report.txt");
    expect<unknown>(await committed(fourth)).toEqual({ ending: PUSHED, paths: ["report.txt"] });
  },
);

test(
  deep("a person's own edits are committed without them; if there is nothing else, there are no changes"),
  async () => {
    await product.configure(check("echo 1 > counter.txt"));
    const first = await run("echo one > one.txt");
    const nothing = await next(first);
    expect<unknown>([ending(nothing.run), left(nothing.run)]).toEqual([NO_CHANGES, ["counter.txt"]]);
    await writeFile(join(first.attempt.worktree, "counter.txt"), "mine\n");
    expect<unknown>(await committed(await next(first))).toEqual({ ending: PUSHED, paths: ["counter.txt"] });
  },
);

test(deep("files of a check do not block what others pushed; files of a person do"), async () => {
  await product.configure(check("echo 1 > counter.txt; echo r > report.txt"));
  const first = await run("echo one > one.txt");
  await product.configure(check("true"));
  const { branch } = first.attempt;
  await product.sandbox.commitTo(product.origin, branch, { "counter.txt": "7\n", "report.txt": "theirs\n" });
  const second = await next(first, "echo two > two.txt");
  expect<unknown>({
    ending: ending(second.run),
    notes: noteCodes(second.run),
    files: [await here(second, "counter.txt"), await here(second, "report.txt")],
    kept: await product.sandbox.git(product.repository, [
      "show",
      `refs/tazuna/snapshots/${first.attempt.id}/1:report.txt`,
    ]),
  }).toEqual({ ending: PUSHED, notes: ["synced"], files: ["7\n", "theirs\n"], kept: "r" });

  await product.configure(check("echo 2 > counter.txt; echo r >> report.txt"));
  const third = await next(first, "echo three > three.txt");
  await writeFile(join(first.attempt.worktree, "report.txt"), "mine\n");
  await product.sandbox.commitTo(product.origin, branch, { "counter.txt": "8\n", "report.txt": "again\n" });
  const fourth = await next(third, "echo four > four.txt");
  expect<unknown>({
    note: noteCodes(fourth.run)[0],
    ending: ending(fourth.run),
    report: await here(fourth, "report.txt"),
  }).toEqual({
    note: "sync_postponed",
    ending: { status: "FAILED", outcome: null, failure: "conflict" },
    report: "mine\n",
  });
});

test(deep("each check is reported with what it left itself, not with what lay there before it"), async () => {
  await product.configure({
    checks: [
      { name: "a", run: "echo a > a.txt" },
      { name: "b", run: "echo b > b.txt" },
      { name: "c", run: "echo c >> a.txt" },
    ],
  });
  const end = await run("echo S=1 > .env; echo one > one.txt");
  const notes = end.run.notes.filter(({ code }) => code === "check_left_files");
  expect(notes.map(({ details }) => [details.check, details.paths])).toEqual([
    ["a", ["a.txt"]],
    ["b", ["b.txt"]],
    ["c", ["a.txt"]],
  ]);
  const second = await next(end, "echo two > two.txt");
  expect<unknown>({
    ...(await committed(second)),
    notes: second.run.notes
      .filter(({ code }) => /^left_/.test(code))
      .map(({ code, message }) => [code, message.split(" ").slice(0, 6).join(" ")]),
  }).toEqual({
    ending: PUSHED,
    paths: ["two.txt"],
    notes: [
      ["left_out", ".env is new and matches `deny`:"],
      ["left_by_check", "a.txt is as the check c"],
      ["left_by_check", "b.txt is as the check b"],
    ],
  });
});

test(
  deep("what a check left that was stopped, or whose engine was killed, is not committed either"),
  async () => {
    await using stopping = gate(product, "stop");
    await product.configure(check(`echo r > report.txt; ${stopping.wait}`));
    const first = await run("echo one > one.txt", "--detach");
    await stopping.reached();
    const stopped = await ask(product, ["stop", first.run.id]);
    expect({ ending: ending(stopped.run), notes: noteCodes(stopped.run) }).toEqual({
      ending: { status: "CANCELED", outcome: null },
      notes: ["check_left_files"],
    });
    await using killing = gate(product, "kill");
    const marker = join(product.home, "killed-once");
    await product.configure(
      check(`[ -e '${marker}' ] || { touch '${marker}'; echo k > killed.txt; ${killing.wait}; }; true`),
    );
    const second = ask(product, ["continue", first.attempt.id, "echo two > two.txt"]);
    await killing.reached();
    await product.killEngine();
    await killing.open();
    expect<unknown>(await committed(await second)).toEqual({ ending: PUSHED, paths: ["one.txt", "two.txt"] });
    const third = await next(first, "echo three > three.txt");
    expect<unknown>({ ...(await committed(third)), left: left(third.run) }).toEqual({
      ending: PUSHED,
      paths: ["three.txt"],
      left: ["killed.txt", "report.txt"],
    });
    await rm(marker);
  },
);
