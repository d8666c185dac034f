/** Shows how an attempt stands: its processes, its base, a person's edits, and what others change too. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { appendFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { doomedGit } from "../helpers/doomed-git.ts";
import { http } from "../helpers/http.ts";
import { ask, gate, PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

interface Situation {
  readonly processes: readonly { readonly command: string; readonly rss_bytes: number }[];
  readonly drift: Readonly<Record<string, unknown>> | null;
  readonly worktree: unknown;
  readonly own_edits: readonly { readonly path: string }[] | null;
  readonly overlap: readonly unknown[] | null;
  readonly looked_at: string | null;
  readonly reasons: Readonly<Record<string, string | null>>;
}

test(deep("an attempt's situation is told part by part, and git is asked only on request"), async () => {
  await using product = await startProduct();
  await using barrier = gate(product, "situation");
  await product.configure({
    deny: [".env"],
    checks: [{ name: "leaves", run: "echo x > left.log", required: false }],
  });
  await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
  const words = "echo mine > shared.txt; echo other > other.txt";
  const first = await ask(product, ["run", words, "--agent", "doer", "--title", "First"]);
  const { id, worktree } = first.attempt;
  const see = async (query = "", of = id) =>
    (await http<Situation>(product, `GET /attempts/${of}/situation${query}`)).body;

  const unasked = await see();
  expect(unasked).toMatchObject({
    processes: [],
    drift: null,
    worktree: { exists: true, dirty: null, bytes: null },
    own_edits: null,
    overlap: null,
    looked_at: null,
  });
  expect(unasked.reasons.drift).toContain("`look=true`");
  const calm = await see("?look=true");
  expect(calm).toMatchObject({
    drift: { base: "origin/main", ahead: 1, behind: 0, merges: "cleanly", files: [] },
    worktree: { exists: true, bytes: expect.any(Number) },
    own_edits: [],
    overlap: [],
    looked_at: expect.any(String),
  });
  expect(await see()).toEqual(calm);

  // A person edits, the base moves on with a conflict, and another attempt changes the same file.
  await writeFile(join(worktree, "other.txt"), "edited\n");
  await writeFile(join(worktree, "mine.txt"), "new\n");
  await writeFile(join(worktree, ".env"), "A=1\n");
  await product.sandbox.commit(product.repository, { "shared.txt": "theirs\n" }, "Theirs");
  await product.sandbox.git(product.repository, ["push", "--quiet", "origin", "main"]);
  const other = await ask(product, ["run", `${words}; rm other.txt`, "--agent", "doer", "--title", "Second"]);
  expect(await see("?look=true")).toMatchObject({
    drift: { ahead: 1, behind: 1, merges: "conflict", files: ["shared.txt"] },
    worktree: { exists: true, dirty: true },
    own_edits: [
      { path: "mine.txt", status: "added" },
      { path: "other.txt", status: "modified" },
    ],
    overlap: [
      { path: "shared.txt", attempt: other.attempt.id, task: other.document.task.id, title: "Second" },
    ],
  });

  const working = await ask(product, ["continue", id, barrier.wait, "--detach"]);
  await barrier.reached();
  const busy = await see("?look=true");
  expect(busy.processes.length).toBeGreaterThan(0);
  expect(busy.processes.every(({ rss_bytes }) => rss_bytes > 0)).toBe(true);
  expect([busy.own_edits, busy.reasons.own_edits]).toEqual([null, expect.stringContaining("run works")]);
  await barrier.open();
  await product.tazuna(["wait", working.attempt.runs.at(-1)?.id ?? ""]);

  await rm(worktree, { recursive: true });
  expect(await see("?look=true")).toMatchObject({
    worktree: { exists: false, dirty: null, bytes: null },
    own_edits: null,
    drift: { behind: 1 },
  });
  expect((await http(product, "GET /attempts/x/situation")).status).toBe(404);
});

test(
  deep("who looks while another look goes on gets the next one, and all who wait for it share it"),
  async () => {
    await using git = await doomedGit();
    await using product = await startProduct({ env: { PATH: git.path } });
    await using barrier = gate(product, "look");
    await product.agent("doer", "echo new > new.txt");
    const { attempt } = await ask(product, ["run", "Change it", "--agent", "doer"]);
    const see = async (query: string) =>
      (await http<Situation>(product, `GET /attempts/${attempt.id}/situation${query}`)).body;
    await git.doom("rev-list", 1_000);
    const before = await see("?look=true");
    const ofOneLook = await git.calls();
    await git.doom("rev-list", 1, `${barrier.wait}; exec '${Bun.which("git")}' "$@"`);
    const first = see("?look=true");
    await barrier.reached();
    // The first look may miss it.
    await appendFile(join(attempt.worktree, "new.txt"), "mine\n");
    const later = [see("?look=true"), see("?look=true")];
    // Whoever does not look is not held up, and still sees the look before.
    expect((await see("")).looked_at).toBe(before.looked_at);
    await barrier.open();
    expect((await first).drift).toEqual(before.drift);
    for (const seen of await Promise.all(later))
      expect(seen.own_edits?.map(({ path }) => path)).toEqual(["new.txt"]);
    expect([ofOneLook > 0, await git.calls()]).toEqual([true, 2 * ofOneLook]);
  },
);
