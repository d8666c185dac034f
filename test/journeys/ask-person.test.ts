/** Lets an agent ask a person by the tool `ask_person` of its attempt; the answer comes back as the tool's answer. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { answeredByTool, asks, beginAsking } from "../helpers/asking-agent.ts";
import { ask, ending, PATIENCE_MS, refused } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { sandboxHere, skippedWithout, underEach } from "../helpers/sandbox.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" } as const;
const WHICH = { question: "Which colour?", options: ["red", { label: "blue", description: "calm" }] };

/** What the tool answered the agent, once its run has ended. */
async function answered(product: Product, run: string): Promise<unknown> {
  const end = await ask(product, ["wait", run]);
  expect(ending(end.run)).toEqual(PUSHED);
  return answeredByTool(end);
}

/** The agent of these tests is a file of the checkout. A sandbox has a `/tmp` and a `/dev` of its own. */
const isHidden = /^\/(?:tmp|dev)\//.test(import.meta.dir);
const whySkipped = isHidden ? " (skipped: the sandbox hides this checkout)" : skippedWithout;

for (const isolation of ["guard", "sandbox"] as const)
  test.skipIf(isolation === "sandbox" && (isHidden || !sandboxHere.available))(
    underEach(
      isolation,
      deep(
        `what an agent asks by its tool waits for a person, whose words are the tool's answer (${isolation})${isolation === "sandbox" ? whySkipped : ""}`,
      ),
    ),
    async () => {
      await using product = await startProduct({ isolation });
      const { run } = await beginAsking(product, WHICH);
      const asking = await asks(product, run.id);
      expect([asking.run.status, asking.run.phase, asking.attempt.state]).toEqual([
        "RUNNING",
        "waiting",
        "needs_you",
      ]);
      expect(asking.question).toMatchObject({
        source: "person",
        words: "Which colour?\n\n- blue: calm",
        command: null,
        options: [
          { name: "red", kind: "choice" },
          { name: "blue", kind: "choice" },
          { name: "Own words", kind: "words" },
          { name: "Decline to answer", kind: "reject_once" },
        ],
      });
      await ask(product, ["answer", run.id, "--text", "a warm green"]);
      expect(await answered(product, run.id)).toEqual({
        isOffered: true,
        answer: { answer: "a warm green", option: null },
      });
    },
  );

test(
  deep("a question of the tool outlives the engine: it is there once, and its answer arrives"),
  async () => {
    await using product = await startProduct();
    const { run } = await beginAsking(product, WHICH);
    const first = await asks(product, run.id);
    await product.killEngine();
    const second = await asks(product, run.id);
    expect(second.question).toEqual(first.question);
    await ask(product, ["answer", run.id, "--text", "blue"]);
    expect(await answered(product, run.id)).toMatchObject({ answer: { answer: "blue", option: "blue" } });
    const log = (await product.tazuna(["logs", run.id])).stdout;
    expect(log.match(/Which colour\?/g)).toHaveLength(1);
  },
);

test(deep("own words are refused if only an option counts, and a person may decline"), async () => {
  await using product = await startProduct();
  const { run } = await beginAsking(product, { ...WHICH, allow_text: false });
  await asks(product, run.id);
  expect((await refused(product, ["answer", run.id, "--text", "green"])).error.code).toBe("answer_unfit");
  await ask(product, ["answer", run.id, "--deny"]);
  expect(JSON.stringify(await answered(product, run.id))).toContain("The person declined to answer");
});

test(deep("with `never` the tool is not offered, and nobody is asked"), async () => {
  await using product = await startProduct();
  const { run } = await beginAsking(product, WHICH, { approvals: "never" });
  expect(await answered(product, run.id)).toMatchObject({ isOffered: false });
});
