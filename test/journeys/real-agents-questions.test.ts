/** Lets real agents ask a person through the whole product: by the tool `ask_person`, and Claude Code for leave. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { asks, show } from "../helpers/asking-agent.ts";
import { addToolkitToGemini, offersTools, WIRES } from "../helpers/attempt-toolkit.ts";
import type { Script } from "../helpers/fake-model/script.ts";
import { toolResults } from "../helpers/fake-model/tool-results.ts";
import { ask, ending, PATIENCE_MS, type TaskEnd } from "../helpers/journey.ts";
import { describeReal, INSTALLED, type RealProduct, startRealProduct } from "../helpers/real-product.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" } as const;
/** The agents ask once all of them were offered the tool. */
const offered = Promise.withResolvers<void>();

const QUESTION = { question: "Which colour?", options: ["red", "blue"] };
const shell = (command: string) => ({ tools: [{ op: "shell" as const, command }] });
const ALLOWED = "curl -s http://localhost:1/; touch allowed.txt";
const DENIED = "wget -q http://localhost:1/; touch denied.txt";
const LATER = "curl -s http://localhost:2/; touch later.txt";

const SCRIPT: Script = {
  scenarios: [
    {
      when: /JOB-COLOUR/,
      turns: [
        { text: "I begin.", hold: offered.promise, ...shell("true") },
        { tools: [{ op: "mcp", server: "tazuna", tool: "ask_person", input: QUESTION }] },
        { tools: [{ op: "write", path: "colour.txt", content: "painted\n" }] },
        { text: "I painted it." },
      ],
    },
    { when: /JOB-LEAVE/, turns: [shell(ALLOWED), shell(DENIED), { text: "All was asked." }] },
    {
      when: new RegExp(`allowed exactly this command: ${LATER.slice(0, 20)}`),
      turns: [shell(LATER), { text: "I went on." }],
    },
    { when: /JOB-LATER/, turns: [shell(LATER), { text: "I did not wait." }] },
  ],
};

describeReal("questions of real agents", () => {
  let real: RealProduct;

  beforeAll(async () => {
    real = await startRealProduct({ script: SCRIPT });
    await real.product.configure({ agents: real.profiles(() => ({ approvals: null })) });
    if (INSTALLED.includes("gemini")) await addToolkitToGemini(real);
  });
  afterAll(() => real?.[Symbol.asyncDispose]());

  test("each asks by `ask_person`, and goes on with the answer of the person", async () => {
    const begun = await real.begin("JOB-COLOUR");
    const runs = begun.attempts.map(({ agent, runs: [run] }) => ({ agent, id: run?.id ?? "" }));
    for (const { id } of runs) await offersTools(id);
    offered.resolve();
    for (const { id } of runs) {
      const { question } = await asks(real.product, id);
      expect([question.source, question.words]).toEqual(["person", "Which colour?"]);
      await ask(real.product, ["answer", id, "--text", "blue"]);
    }
    const end = await ask(real.product, ["wait", begun.document.task.id]);
    for (const { agent, runs: all } of end.attempts)
      expect<unknown>({ agent, ...ending(all[0] as never) }).toEqual({ agent, ...PUSHED });
    for (const agent of INSTALLED) {
      const last = real.model.requests.findLast(({ wire }) => wire === WIRES[agent]);
      const told = last === undefined ? [] : toolResults(last);
      expect({ agent, told: told.filter((text) => text.includes('"answer":"blue"')).length }).toEqual({
        agent,
        told: 1,
      });
    }
  });
});

describeReal(
  "Claude Code asks for leave",
  () => {
    let real: RealProduct;
    const begin = async (instruction: string): Promise<TaskEnd> => real.begin(instruction, ["claude-code"]);
    const made = ({ attempt }: TaskEnd, name: string) => existsSync(join(attempt.worktree, name));

    beforeAll(async () => {
      const TAZUNA_TIMING = JSON.stringify({ graceMs: 3_000, questionMs: 4_000 });
      real = await startRealProduct({ script: SCRIPT, isolation: "guard", env: { TAZUNA_TIMING } });
      await real.product.configure({ agents: real.profiles(() => ({ approvals: null })) });
    });
    afterAll(() => real?.[Symbol.asyncDispose]());

    test("what a person allows runs, what they deny does not", async () => {
      const { run } = await begin("JOB-LEAVE");
      const first = await asks(real.product, run.id);
      expect([first.question.source, first.question.command]).toEqual(["permission", ALLOWED]);
      await ask(real.product, ["answer", run.id, "--allow"]);
      const second = await asks(real.product, run.id, first.question.id);
      expect(second.question.command).toBe(DENIED);
      await ask(real.product, ["answer", run.id, "--deny"]);
      const end = await ask(real.product, ["wait", run.id]);
      expect([ending(end.run), made(end, "allowed.txt"), made(end, "denied.txt")]).toEqual([
        PUSHED,
        true,
        false,
      ]);
    });

    test("without an answer it is stopped; the answer lets its session go on, and holds once", async () => {
      const { run } = await begin("JOB-LATER");
      await asks(real.product, run.id);
      await waitFor(
        "the process to be stopped",
        async () => (await show(real.product, run.id)).run.question?.parked_at ?? null,
        { withinMs: 120_000 },
      );
      await ask(real.product, ["answer", run.id, "--allow"]);
      const end = await ask(real.product, ["wait", run.id]);
      expect([ending(end.run), end.run.summary, made(end, "later.txt")]).toEqual([
        PUSHED,
        "I went on.",
        true,
      ]);
      expect(new Set(await real.sessions(run.id)).size).toBe(1);
    });
  },
  { missing: INSTALLED.includes("claude-code") ? null : "Claude Code is not installed" },
);
