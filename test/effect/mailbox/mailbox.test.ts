import { describe, expect, test } from "bun:test";
import { mkdir, readdir, rename, rm, stat, symlink, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { askByMailbox } from "../../../src/effect/mailbox/ask-by-mailbox.ts";
import { askedName, MAILBOX } from "../../../src/effect/mailbox/letters.ts";
import { openMailbox } from "../../../src/effect/mailbox/mailbox.ts";
import { tempDir } from "../../helpers/temp-dir.ts";
import { waitFor } from "../../helpers/wait-for.ts";

const QUESTION = { question: "Which?", options: [{ label: "a", description: null }], allowText: true };
const ID = "11111111-2222-4333-8444-555555555555";
const NOTHING: ReadonlySet<string> = new Set();
const all = { known: NOTHING, most: 100 };

async function mailboxIn() {
  const dir = await tempDir();
  const folder = join(dir.path, "questions");
  const box = openMailbox(folder);
  /** Leaves any text as an agent can. */
  const leave = (name: string, text: string) => writeFile(join(folder, MAILBOX.asked, name), text);
  return { dir, folder, box, leave, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

describe("a question in a mailbox", () => {
  test("is read whole, once, and its answer reaches the asker, who then takes it away", async () => {
    await using at = await mailboxIn();
    const asking = askByMailbox(at.folder, QUESTION, { signal: undefined });
    const [letter] = await waitFor("the question", async () => {
      const letters = at.box.newLetters(all);
      return letters.length > 0 && letters;
    });
    expect(letter?.question).toEqual(QUESTION);
    const id = letter?.id ?? "";
    expect(at.box.newLetters({ ...all, known: new Set([id]) })).toEqual([]);
    expect([at.box.lastSign(id) === null, at.box.isAnswered(id)]).toEqual([false, false]);
    await at.box.answer(id, { kind: "option", label: "a" });
    expect(await asking).toEqual({ kind: "option", label: "a" });
    expect([at.box.lastSign(id), at.box.isAnswered(id)]).toEqual([null, true]);
    expect(await readdir(join(at.folder, MAILBOX.asked))).toEqual([]);
  });

  test("an answer that was there before the asker looked counts, and may be put there twice", async () => {
    await using at = await mailboxIn();
    const asking = askByMailbox(at.folder, QUESTION, { signal: undefined });
    const [letter] = await waitFor("the question", async () => {
      const letters = at.box.newLetters(all);
      return letters.length > 0 && letters;
    });
    for (const text of ["first", "first"]) await at.box.answer(letter?.id ?? "", { kind: "text", text });
    expect(await asking).toEqual({ kind: "text", text: "first" });
  });

  test("goes when its asker is stopped", async () => {
    await using at = await mailboxIn();
    const stop = new AbortController();
    const asking = askByMailbox(at.folder, QUESTION, { signal: stop.signal });
    await waitFor("the question", async () => at.box.newLetters(all).length > 0);
    stop.abort();
    expect(await asking).toMatchObject({ kind: "withdrawn" });
    expect(at.box.newLetters(all)).toEqual([]);
  });

  test("an asker without a mailbox is told so", async () => {
    await using at = await mailboxIn();
    await rm(at.folder, { recursive: true });
    expect(await askByMailbox(at.folder, QUESTION, { signal: undefined })).toEqual({
      kind: "withdrawn",
      reason: "The question could not be handed over (ENOENT).",
    });
  });
});

describe("what an agent may leave in its mailbox", () => {
  test.each([
    ["no JSON", "{"],
    ["JSON of another kind", "[1]"],
    ["an unknown key", JSON.stringify({ ...QUESTION, path: "/etc" })],
    ["no question", JSON.stringify({ ...QUESTION, question: "" })],
    ["a very long question", JSON.stringify({ ...QUESTION, question: "x".repeat(9_000) })],
    ["many options", JSON.stringify({ ...QUESTION, options: Array(30).fill(QUESTION.options[0]) })],
    ["deep nesting", "[".repeat(100_000)],
  ])("%s is no question", async (_, text) => {
    await using at = await mailboxIn();
    await at.leave(askedName(ID), text);
    expect(at.box.newLetters(all)).toEqual([{ id: ID, question: null }]);
  });

  test("names that are no id, or lead elsewhere, are not looked at", async () => {
    await using at = await mailboxIn();
    const text = JSON.stringify(QUESTION);
    for (const name of [`ask-A${ID.slice(1)}.json`, "ask-1.json", `${ID}.json`, `ask-${ID}.json.tmp`])
      await at.leave(name, text);
    for (const name of ["ask-..", `ask-${ID}`]) await mkdir(join(at.folder, MAILBOX.asked, name));
    await at.leave("ask-..%2F..%2Fx.json", text);
    await at.leave(`ask-\n${ID}.json`, text);
    expect(at.box.newLetters(all)).toEqual([]);
  });

  test("a huge file, a link, a pipe and a folder are no questions, and none of them is waited for", async () => {
    await using at = await mailboxIn();
    const asked = join(at.folder, MAILBOX.asked);
    const ids = ["a", "b", "c", "d"].map((first) => `${first}${ID.slice(1)}`);
    const [huge = "", link = "", pipe = "", folder = ""] = ids.map((id) => join(asked, askedName(id)));
    await writeFile(huge, "");
    await truncate(huge, 1024 ** 4).catch(() => truncate(huge, 1024 ** 3));
    await writeFile(join(at.dir.path, "elsewhere"), JSON.stringify(QUESTION));
    await symlink(join(at.dir.path, "elsewhere"), link);
    expect(await Bun.spawn(["mkfifo", pipe]).exited).toBe(0);
    await mkdir(folder);
    const letters = at.box.newLetters(all);
    expect(letters.toSorted((one, other) => one.id.localeCompare(other.id))).toEqual(
      ids.map((id) => ({ id, question: null })),
    );
    expect(ids.map((id) => at.box.lastSign(id) === null)).toEqual([false, true, true, true]);
  });

  test("of ten thousand files only a part is read, and no more questions than wanted", async () => {
    await using at = await mailboxIn();
    const text = JSON.stringify(QUESTION);
    const ids = Array.from({ length: 10_000 }, (_, n) => `${n.toString(16).padStart(8, "0")}${ID.slice(8)}`);
    for (let from = 0; from < ids.length; from += 500)
      await Promise.all(ids.slice(from, from + 500).map((id) => at.leave(askedName(id), text)));
    const began = performance.now();
    expect(at.box.newLetters({ known: NOTHING, most: 8 })).toHaveLength(8);
    expect(performance.now() - began).toBeLessThan(1_000);
    expect(at.box.newLetters({ known: NOTHING, most: 20_000 }).length).toBeLessThanOrEqual(1_000);
  });

  test("folders that it replaced by links are neither read nor written", async () => {
    await using at = await mailboxIn();
    const elsewhere = join(at.dir.path, "elsewhere");
    await mkdir(elsewhere);
    await writeFile(join(elsewhere, askedName(ID)), JSON.stringify(QUESTION));
    for (const name of Object.values(MAILBOX)) {
      await rename(join(at.folder, name), join(at.dir.path, name));
      await symlink(elsewhere, join(at.folder, name));
    }
    expect(at.box.newLetters(all)).toEqual([]);
    expect(at.box.lastSign(ID)).toBeNull();
    await expect(at.box.answer(ID, { kind: "text", text: "x" })).rejects.toThrow();
    expect(await readdir(elsewhere)).toEqual([askedName(ID)]);
  });

  test("a sign of life is the time of the file, whatever the agent says of it", async () => {
    await using at = await mailboxIn();
    await at.leave(askedName(ID), JSON.stringify(QUESTION));
    await utimes(join(at.folder, MAILBOX.asked, askedName(ID)), 1, 1);
    expect(at.box.lastSign(ID)).toBe(1_000);
    expect((await stat(at.folder)).mode & 0o777).toBe(0o700);
  });
});
