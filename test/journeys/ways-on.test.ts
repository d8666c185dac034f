/** Walks the ways on from what was held back: leave a file out, write the message, take back what was allowed, begin anew. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { rm } from "node:fs/promises";
import type { TaskDocument } from "../../src/contract/task-document.ts";
import { http } from "../helpers/http.ts";
import { ask, changedPaths, ending, PATIENCE_MS, refused } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

/** Made up; put together here, so that no file of ours holds one. */
const TOKEN = ["ghp", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].join("_");

interface Gate {
  readonly rows: readonly {
    readonly rule: string;
    readonly verdict: string;
    readonly override: { readonly can_take_back: boolean } | null;
    readonly taken_back: readonly { readonly reason: string; readonly taken_back_by: string }[];
  }[];
  readonly left_out: readonly { readonly path: string }[];
}

const gateOf = async (product: Product, id: string) =>
  (await http<Gate>(product, `GET /attempts/${id}/gate`)).body;
const rowOf = ({ rows }: Gate, rule: string) => rows.find((row) => row.rule === rule);
const messageOf = (product: Product, sha: string) =>
  product.sandbox.git(product.origin, ["log", "-1", "--format=%B", sha]);
const files = (product: Product, sha: string | null) => changedPaths(product, product.origin, sha ?? "");

test(
  deep("a file that the gate stops is left out of the commit, and let in again once it is mended"),
  async () => {
    await using product = await startProduct();
    await product.agent("leaky", `echo good > good.txt; echo 'key = ${TOKEN}' > key.txt; echo Keys.`);
    const { attempt } = await ask(product, ["run", "Add keys", "--agent", "leaky"]);
    const { id, worktree } = attempt;
    const unknown = await refused(product, ["publish", id, "--leave-out", "other.txt"]);
    expect(unknown.error.code).toBe("nothing_to_allow");
    const message = "Add what is good\n\nFor everybody.";
    const out = await ask(product, ["publish", id, "--leave-out", "key.txt", "--message", message]);
    expect<unknown>(ending(out.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
    expect(await files(product, out.run.commit)).toEqual(["good.txt"]);
    // The message is the person's, with the trailers of the agent whose work it is.
    const written = await messageOf(product, out.run.commit ?? "");
    expect(written).toStartWith(`${message}\n\nTazuna-Task: `);
    expect((await gateOf(product, id)).left_out.map(({ path }) => path)).toEqual(["key.txt"]);
    expect(await Bun.file(`${worktree}/key.txt`).exists()).toBe(true);
    // Later runs leave it out as well, and take a message of their own.
    await product.agent("leaky", "echo more > more.txt; echo More.");
    const more = await ask(product, ["continue", id, "Add more"]);
    expect(await files(product, more.run.commit)).toEqual(["more.txt"]);
    expect(await messageOf(product, more.run.commit ?? "")).toStartWith("Add more\n");
    const late = await http(product, `PATCH /attempts/${id}/draft`, { message: "Too late" });
    expect([late.status, (late.body as { code?: string }).code]).toEqual([409, "nothing_to_commit"]);
    await Bun.write(`${worktree}/key.txt`, "key = read it from the environment\n");
    const taken = await product.tazuna(["publish", id, "--take-in", "key.txt", "--json"]);
    expect([taken.code, (await gateOf(product, id)).left_out]).toEqual([0, []]);
    const last = await ask(product, ["continue", id]);
    expect(await files(product, last.run.commit)).toEqual(["key.txt"]);
    expect((await refused(product, ["publish", id, "--take-in", "key.txt"])).error.code).toBe(
      "nothing_to_take_back",
    );
    const acts = (await product.tazuna(["activity", id])).stdout;
    for (const kind of ["leave_out", "take_in"]) expect(acts).toContain(kind);
  },
);

test(
  deep("what was allowed is taken back as long as nothing came of it; the history shows both"),
  async () => {
    await using product = await startProduct();
    await product.agent("leaky", `echo 'key = ${TOKEN}' > key.txt; ln -s /etc out`);
    const { attempt } = await ask(product, ["run", "Add keys", "--agent", "leaky"]);
    const { id } = attempt;
    const allow = ["publish", id, "--allow", "credential", "--reason", "A key of a test"];
    const half = await ask(product, allow);
    expect(half.run.failure?.code).toBe("gate_rejected");
    expect(rowOf(await gateOf(product, id), "credential")).toMatchObject({
      verdict: "overridden",
      override: { can_take_back: true },
    });
    const back = await product.tazuna(["publish", id, "--take-back", "credential", "--json"]);
    expect([back.code, back.json<TaskDocument>().attempts.map((one) => one.id)]).toEqual([0, [id]]);
    expect(rowOf(await gateOf(product, id), "credential")).toMatchObject({
      verdict: "reject",
      override: null,
      taken_back: [{ reason: "A key of a test", taken_back_by: expect.stringContaining("<") }],
    });
    // It is allowed again, with what is left; then a commit holds it.
    const again = await ask(product, [...allow, "--allow", "symlink_outside"]);
    expect<unknown>(ending(again.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
    const used = await refused(product, ["publish", id, "--take-back", "credential"]);
    expect(used.error.code).toBe("nothing_to_take_back");
    expect(rowOf(await gateOf(product, id), "credential")).toMatchObject({
      verdict: "overridden",
      override: { can_take_back: false },
      taken_back: [{ reason: "A key of a test" }],
    });
    // A later allowance is taken back alone: what came of the one before stays its doing.
    await product.agent("leaky", `echo 'key = ${TOKEN}' > other.txt; ln -s /etc more`);
    await ask(product, ["continue", id, "Add more"]);
    await ask(product, ["publish", id, "--allow", "credential", "--reason", "Another key"]);
    expect((await product.tazuna(["publish", id, "--take-back", "credential"])).code).toBe(0);
    const row = rowOf(await gateOf(product, id), "credential");
    expect(row?.taken_back.map(({ reason }) => reason)).toEqual(["A key of a test", "Another key"]);
  },
);

test(
  deep("checks run again on what is committed, and another attempt begins from the base as it is then"),
  async () => {
    await using product = await startProduct();
    const flag = `${product.home}/passes`;
    await product.configure({ checks: [{ name: "tests", run: `test -e '${flag}'`, required: true }] });
    await product.agent("doer", "ls > seen.txt; echo Done.");
    const first = await ask(product, ["run", "Look around", "--agent", "doer"]);
    expect(first.run.failure?.code).toBe("check_failed");
    await Bun.write(flag, "");
    const again = await ask(product, ["retry", first.attempt.id, "--from", "checks"]);
    expect<unknown>(ending(again.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
    expect(again.run.commit).toBe(first.run.commit);
    expect(again.run.checks).toMatchObject([{ name: "tests", outcome: "passed" }]);
    // An edit of a person is not checked in secret.
    await Bun.write(`${first.attempt.worktree}/mine.txt`, "mine\n");
    const edited = await refused(product, ["retry", first.attempt.id, "--from", "checks"]);
    expect([edited.error.code, edited.error.details.files]).toEqual(["checkout_not_clean", ["mine.txt"]]);
    await product.sandbox.commitTo(product.origin, "main", { "fresh.txt": "x\n" });
    const fresh = await ask(product, ["retry", first.attempt.id, "--from", "base"]);
    expect(fresh.attempts).toHaveLength(1);
    expect(fresh.attempt).toMatchObject({ agent: "doer", state: "pushed" });
    expect(fresh.attempt.id).not.toBe(first.attempt.id);
    expect(fresh.document.task.id).toBe(first.document.task.id);
    expect(await product.sandbox.git(product.origin, ["show", `${fresh.run.commit}:seen.txt`])).toContain(
      "fresh.txt",
    );
    // The same key makes no second one.
    const body = { agent: "doer" };
    const path = `POST /tasks/${first.document.task.id}/attempts` as const;
    const once = { headers: { "idempotency-key": "anew" } };
    const made = await http<TaskDocument>(product, path, body, once);
    const same = await http<TaskDocument>(product, path, body, once);
    expect([made.status, same.body.attempts[0]?.id]).toEqual([201, made.body.attempts[0]?.id]);
  },
);

test(
  deep("checks that run again take along nothing that a broken turn left, and make a lost worktree again"),
  async () => {
    await using product = await startProduct();
    const flag = `${product.home}/passes`;
    const slow = `${product.home}/slow`;
    const check = `while test -e '${slow}'; do sleep 0.05; done; test -e '${flag}'`;
    await product.configure({ checks: [{ name: "tests", run: check, required: true }] });
    await product.agent("doer", "echo done > done.txt; echo Done.");
    const { attempt, run } = await ask(product, ["run", "Do it", "--agent", "doer"]);
    const { id, worktree } = attempt;
    await product.agent("doer", "echo half > half.txt; exit 3");
    const broken = await ask(product, ["continue", id, "Do more"]);
    expect(broken.run.failure?.code).toBe("agent_failed");
    await Bun.write(flag, "");
    const again = ["retry", id, "--from", "checks"];
    const held = await refused(product, again);
    expect([held.error.code, held.error.details.files]).toEqual(["checkout_not_clean", ["half.txt"]]);
    expect(await product.sandbox.git(product.origin, ["branch", "--list", attempt.branch])).toBe("");
    // Nothing is lost with a worktree that holds nothing else than its commit.
    await rm(worktree, { recursive: true });
    const made = await ask(product, again);
    expect<unknown>(ending(made.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
    expect(made.run.commit).toBe(run.commit);
    // One that was stopped is repeated as what it was.
    await Bun.write(slow, "");
    expect((await product.tazuna([...again, "--detach"])).code).toBe(0);
    await product.tazuna(["stop", id]);
    await product.tazuna(["wait", id]);
    await rm(slow);
    const repeated = await ask(product, ["retry", id]);
    expect(repeated.run.checks).toMatchObject([{ name: "tests", outcome: "passed" }]);
    expect((await product.tazuna(["clean", id, "--yes"])).code).toBe(0);
    const cleaned = await ask(product, again);
    expect([ending(cleaned.run).status, cleaned.run.commit]).toEqual(["SUCCEEDED", run.commit]);
  },
);

test(deep("the message of a request holds, and not one that was typed on the page before"), async () => {
  await using product = await startProduct();
  await product.agent("leaky", `echo 'key = ${TOKEN}' > key.txt`);
  const { attempt } = await ask(product, ["run", "Add keys", "--agent", "leaky"]);
  const typed = await http(product, `PATCH /attempts/${attempt.id}/draft`, { message: "From the page" });
  expect(typed.status).toBe(200);
  await Bun.write(`${attempt.worktree}/key.txt`, "key = read it from the environment\n");
  const done = await ask(product, ["continue", attempt.id, "--message", "From the terminal"]);
  expect(await messageOf(product, done.run.commit ?? "")).toStartWith("From the terminal\n");
});
