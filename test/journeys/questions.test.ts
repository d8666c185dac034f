/** Lets agents ask a person: the run waits, the first answer counts, and no answer is never a yes. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { askingAgent, asks, show } from "../helpers/asking-agent.ts";
import { ask, ending, PATIENCE_MS, refused } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { storedRows, storedText } from "../helpers/stored-rows.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { processesOfRun } from "./crash/processes.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" } as const;
const STOPPED = { status: "CANCELED", outcome: null } as const;
const INSTALL = "npm install left-pad";

test("an agent that asks is waited for by a person, and does what they allow", async () => {
  await using product = await startProduct();
  const agent = await askingAgent(product);
  const end = await ask(product, ["run", `ask ${INSTALL}`, "--agent", "agent"]);
  expect([end.code, end.attempt.state, end.run.status, end.run.phase]).toEqual([
    3,
    "needs_you",
    "RUNNING",
    "waiting",
  ]);
  expect(end.run.question).toMatchObject({
    source: "permission",
    words: INSTALL,
    command: INSTALL,
    folder: end.attempt.worktree,
    rule: "`npm install` reaches the network.",
    options: [
      { id: "yes", name: "Allow", kind: "allow_once" },
      { id: "no", name: "Reject", kind: "reject_once" },
    ],
  });
  expect((end.run.phase_since ?? "") >= (end.run.question?.asked_at ?? "none")).toBe(true);
  const shown = (await product.tazuna(["show", end.run.id])).stdout;
  expect(shown).toContain(INSTALL);
  expect(shown).toContain(`tazuna answer ${end.run.id.slice(0, 8)} --allow`);
  const answered = await ask(product, ["answer", end.attempt.id, "--allow"]);
  expect(answered.code).toBe(0);
  const after = await ask(product, ["wait", end.run.id]);
  expect(ending(after.run)).toEqual(PUSHED);
  expect(await readFile(join(after.attempt.worktree, "ran.txt"), "utf8")).toBe(`${INSTALL}\n`);
  expect(await agent.answers()).toEqual([`${INSTALL}: yes`]);
  const log = (await product.tazuna(["logs", end.run.id])).stdout;
  expect(log).toContain(`asks: ${INSTALL}`);
  expect(log).toContain("Allowed by ");
  const told = storedRows<{ data: string }>(product.home, {
    sql: "select data from facts where kind = 'run.question' order by seq",
  }).map(({ data }) => JSON.parse(data));
  const owner = expect.objectContaining({ kind: "owner", id: null });
  expect(told.map(({ state, actor }) => [state, actor])).toEqual([
    ["asked", undefined],
    ["answered", owner],
  ]);
  expect((await refused(product, ["answer", end.run.id, "--allow"])).error.code).toBe("no_question");
});

test(deep("what a person denies is refused, and what a person did not see is not answered"), async () => {
  await using product = await startProduct();
  const agent = await askingAgent(product);
  const first = await agent.begin(`ask2 ${INSTALL}\nask2 curl https://example.com/x`);
  const { expect: seen, words, id } = first.question;
  const wrong = await product.tazuna(["answer", first.run.id, "--text", "maybe", "--json"]);
  expect([wrong.code, wrong.json<{ error: { code: string } }>().error.code]).toEqual([2, "answer_unfit"]);
  await ask(product, ["answer", first.run.id, "--deny"]);
  const second = await asks(product, first.run.id, id);
  expect([words, second.question.words].toSorted()).toEqual(["curl https://example.com/x", INSTALL]);
  const { url, token } = JSON.parse(await readFile(join(product.home, "server.json"), "utf8"));
  const shortId = first.run.id.slice(0, 8);
  expect((await product.tazuna(["show", shortId])).stdout).toContain(second.question.words);
  const answer = async (given: object) => {
    const response = await fetch(`${url}/api/v1/runs/${first.run.id}/answer`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(given),
    });
    const body = (await response.json()) as { code?: string; remedy?: string };
    if (response.status === 409) expect(body.remedy).toContain(`\`tazuna show ${shortId}\``);
    return `${response.status} ${body.code ?? ""}`.trim();
  };
  expect(await answer({ answer: "allow", expect: seen })).toBe("409 already_answered");
  expect(await answer({ answer: "allow", expect: "0".repeat(64) })).toBe("409 question_changed");
  expect(await answer({ answer: "text", expect: seen })).toStartWith("400");
  const both = ["allow", "deny"].map((kind) => answer({ answer: kind, expect: second.question.expect }));
  expect((await Promise.all(both)).toSorted()).toEqual(["200", "409 already_answered"]);
  await ask(product, ["wait", first.run.id]);
  expect((await agent.answers()).length).toBe(2);
  expect((await agent.answers())[0]).toBe(`${words}: no`);
});

test("a question that the agent does not wait for any more is withdrawn", async () => {
  await using product = await startProduct();
  const agent = await askingAgent(product);
  const { run } = await ask(product, ["run", `forget ${INSTALL}`, "--agent", "agent", "--detach"]);
  // A wait may also end while it asks, since then a person is waited for.
  const end = await waitFor("the end", async () => {
    const waited = await ask(product, ["wait", run.id]);
    return waited.run.ended_at === null ? null : waited;
  });
  expect(ending(end.run)).toEqual({ status: "SUCCEEDED", outcome: "no_changes" });
  expect(await agent.answers()).toEqual([`${INSTALL}: cancelled`]);
});

test(deep("a stop and a cancel end a run that asks at once"), async () => {
  await using product = await startProduct();
  const agent = await askingAgent(product);
  const first = await agent.begin(`ask ${INSTALL}`);
  const stopped = await ask(product, ["stop", first.run.id]);
  expect<unknown>([ending(stopped.run), stopped.run.question]).toEqual([STOPPED, null]);
  expect(processesOfRun(first.run.id)).toEqual([]);
  const second = await agent.begin(`ask ${INSTALL}`);
  await product.tazuna(["cancel", second.attempt.id]);
  expect(ending((await show(product, second.run.id)).run)).toEqual(STOPPED);
  expect(processesOfRun(second.run.id)).toEqual([]);
  expect(await agent.answers()).toEqual([]);
});

test(
  deep("without an answer the process is stopped and its slot is free; the answer lets it go on"),
  async () => {
    await using product = await startProduct({ timing: { questionMs: 300 } });
    const agent = await askingAgent(product);
    await product.configure({ limits: { parallel: 1 } });
    const first = await agent.begin(`ask ${INSTALL}`);
    const { run } = await ask(product, ["run", "nothing", "--agent", "agent"]);
    expect(ending(run)).toEqual({ status: "SUCCEEDED", outcome: "no_changes" });
    expect(processesOfRun(first.run.id)).toEqual([]);
    const parked = await asks(product, first.run.id);
    expect([parked.run.phase, parked.run.resume_at, parked.question.id]).toEqual([
      "waiting",
      null,
      first.question.id,
    ]);
    expect(parked.question.parked_at).toBeString();
    await ask(product, ["answer", first.run.id, "--allow"]);
    const end = await ask(product, ["wait", first.run.id]);
    expect(ending(end.run)).toEqual(PUSHED);
    const told = (await agent.prompts()).at(-1) ?? "";
    expect(told).toContain(`You asked: ${INSTALL}`);
    expect(told).toContain(`A person allowed exactly this command: ${INSTALL}`);
    expect(await agent.answers()).toEqual([`${INSTALL}: yes`]);
  },
);

test(
  deep("a run whose process was stopped for a question can be denied, stopped and cancelled"),
  async () => {
    await using product = await startProduct({ timing: { questionMs: 200 } });
    const agent = await askingAgent(product);
    const gone = async (run: string) =>
      waitFor(
        "the process to be gone",
        async () => (await show(product, run)).run.question?.parked_at ?? null,
      );
    const first = await agent.begin(`ask ${INSTALL}`);
    await gone(first.run.id);
    const stopped = await ask(product, ["stop", first.run.id]);
    expect<unknown>([ending(stopped.run), stopped.run.question]).toEqual([STOPPED, null]);
    const second = await agent.begin(`ask ${INSTALL}`);
    await gone(second.run.id);
    await ask(product, ["answer", second.run.id, "--deny"]);
    // It asks again all the same: a denial is no yes, and a person is asked again.
    const again = await asks(product, second.run.id, second.question.id);
    expect((await agent.prompts()).at(-1)).toContain("A person did not allow it.");
    await product.tazuna(["cancel", again.attempt.id]);
    expect(ending((await show(product, second.run.id)).run)).toEqual(STOPPED);
    expect(await agent.answers()).toEqual([]);
  },
);

test(
  deep(
    "facts say what was asked, answered and withdrawn, in order; a token in it reaches neither them nor the log",
  ),
  async () => {
    const token = `ghp_${"0123456789abcdef".repeat(3).slice(0, 36)}`;
    await using product = await startProduct();
    const agent = await askingAgent(product);
    const first = await agent.begin(`ask2 curl -H ${token} x\nask2 wget -q y`);
    expect(first.question.words).not.toContain(token);
    await ask(product, ["answer", first.run.id, "--allow"]);
    const second = await asks(product, first.run.id, first.question.id);
    await ask(product, ["stop", first.run.id]);
    const facts = storedRows<{ data: string }>(product.home, {
      sql: "select data from facts where kind = 'run.question' order by seq",
    }).map(({ data }) => JSON.parse(data));
    const by = (id: string) => facts.filter(({ question }) => question === id).map(({ state }) => state);
    expect([by(first.question.id), by(second.question.id)]).toEqual([
      ["asked", "answered"],
      ["asked", "withdrawn"],
    ]);
    expect(facts.map(({ state, source, answer }) => [state, source, answer])).toEqual([
      ["asked", "permission", null],
      ["asked", "permission", null],
      ["answered", "permission", "allow"],
      ["withdrawn", "permission", null],
    ]);
    const stored = [
      JSON.stringify(facts),
      (await product.tazuna(["logs", first.run.id, "--json"])).stdout,
      storedText(product.home),
    ];
    // The instruction is the person's own words, so the agent's are looked for: they begin with the command.
    expect(stored.map((text) => text.replaceAll(`ask2 curl -H ${token}`, "").includes(token))).toEqual([
      false,
      false,
      false,
    ]);
  },
);

test("a repository that lets an agent work unasked needs trust", async () => {
  await using product = await startProduct();
  await askingAgent(product);
  await mkdir(join(product.repository, ".tazuna"));
  const mine = { executor: "acp", command: [process.execPath, "agent.mjs"], approvals: "never" };
  await writeFile(
    join(product.repository, ".tazuna/config.json"),
    JSON.stringify({ agents: { agent: mine } }),
  );
  const { code, error } = await refused(product, ["run", "nothing", "--agent", "agent"]);
  expect([code, error.code, JSON.stringify(error.details)]).toEqual([
    3,
    "scripts_not_trusted",
    expect.stringContaining("(approvals: never)"),
  ]);
});

test("writes of git are refused without a question, and with `never` nobody is asked", async () => {
  await using product = await startProduct();
  const agent = await askingAgent(product);
  const end = await ask(product, ["run", "ask git commit -m x", "--agent", "agent"]);
  expect([end.code, await agent.answers()]).toEqual([0, ["git commit -m x: no"]]);
  await askingAgent(product, { approvals: "never" });
  const unasked = await ask(product, ["run", `ask ${INSTALL}`, "--agent", "agent"]);
  expect([unasked.code, (await agent.answers()).at(-1)]).toEqual([0, `${INSTALL}: yes`]);
});

test(deep("neither silence nor the time limit ends an agent whose question is open"), async () => {
  await using product = await startProduct();
  const agent = await askingAgent(product);
  await product.configure({ limits: { stall_s: 1, timeout_s: 4 } });
  const first = await agent.begin(`ask ${INSTALL}`);
  const until = performance.now() + 6_000;
  await waitFor("longer than both", () => performance.now() > until, { withinMs: 20_000 });
  await ask(product, ["answer", first.run.id, "--allow"]);
  expect(ending((await ask(product, ["wait", first.run.id])).run)).toEqual(PUSHED);
});
