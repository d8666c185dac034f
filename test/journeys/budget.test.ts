import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { ask, PATIENCE_MS, written } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

/** An opencode that tells after each step what it has cost so far, and would go on for minutes. */
const COSTLY = `cat > /dev/null
echo edited > costly.txt
for step in 1 2 3 4 5 6 7 8 9 10; do
  echo '{"type":"step_finish","timestamp":1,"sessionID":"ses_1","part":{"type":"step-finish","reason":"tool-calls","cost":0.4,"tokens":{"input":10,"output":5,"reasoning":0,"cache":{"read":0,"write":0}}}}'
  sleep 1
done
sleep 300`;

async function costly(product: Awaited<ReturnType<typeof startProduct>>) {
  await product.agent("costly", COSTLY);
  const path = JSON.parse(await Bun.file(`${product.home}/config.json`).text()).agents.costly.command[0];
  await product.configure({ agents: { costly: { executor: "opencode", command: [path] } } });
}

test(
  deep("an agent that tells what it costs is stopped when its budget is used up; its edits are kept"),
  async () => {
    await using product = await startProduct();
    await costly(product);
    const end = await product.tazuna(["run", "Spend", "--agent", "costly", "--budget", "1", "--json"]);
    const run = end.json().attempts[0]?.runs[0];
    expect(end.code).toBe(1);
    expect(run).toMatchObject({ status: "FAILED", failure: { code: "agent_failed" } });
    expect(run?.failure?.message).toMatch(/\$1\.2\d* of its budget of \$1 and was stopped/);
    expect(await Bun.file(`${end.json().attempts[0]?.worktree}/costly.txt`).text()).toBe("edited\n");
  },
);

test(deep("limits.cost_usd holds every run, and the smaller of the two counts"), async () => {
  await using product = await startProduct();
  await costly(product);
  await product.configure({ limits: { cost_usd: 0.5 } });
  const end = await product.tazuna(["run", "Spend", "--agent", "costly", "--budget", "9", "--json"]);
  expect(end.json().attempts[0]?.runs[0]?.failure?.message).toContain("budget of $0.5");
});

test("an agent that does not tell its cost works, and the run says that the budget was not watched", async () => {
  await using product = await startProduct();
  await product.agent("silent", "echo x > x.txt");
  const end = await product.tazuna(["run", "Work", "--agent", "silent", "--budget", "1", "--json"]);
  const run = end.json().attempts[0]?.runs[0];
  expect([run?.outcome, run?.notes.map((note) => note.code)]).toEqual(["pushed", ["budget_not_watched"]]);
});

/** Codex by its stream and its session's file: the first turn waits to be stopped, the next one ends. */
const CODEX = `case "$*" in *--version*) echo codex-cli 0.169.0; exit ;; esac
cat > /dev/null
id=019a0000-1111-7222-8333-444455556666
printf '{"type":"thread.started","thread_id":"%s"}\\n' "$id"
case "$*" in *resume*)
  echo next > next.txt
  echo '{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"Done."}}'
  echo '{"type":"turn.completed","usage":{"input_tokens":3000000,"cached_input_tokens":0,"output_tokens":300000}}'
  exit ;;
esac
mkdir -p "$CODEX_HOME/sessions/2026/05/02"
file="$CODEX_HOME/sessions/2026/05/02/rollout-2026-05-02T10-00-00-$id.jsonl"
echo '{"type":"turn_context","payload":{"model":"gpt-5.4-mini"}}' > "$file"
echo '{"type":"event_msg","payload":{"type":"token_count","info":null}}' >> "$file"
echo '{"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":2000000,"cached_input_tokens":0,"output_tokens":200000}}}}' >> "$file"
echo reached > reached; exec sleep 900`;

test(
  deep("a turn of Codex that is stopped costs what its session's file counts, and the next one only its own"),
  async () => {
    await using product = await startProduct();
    await product.agent("codex-stream", CODEX, { executor: "codex" });
    const env = { CODEX_HOME: join(product.home, "..", "codex-home"), CODEX_API_KEY: "key-of-nobody" };
    const first = await ask(product, ["run", "Begin", "--agent", "codex-stream", "--detach"], { env });
    await written(join(first.attempt.worktree, "reached"));
    const stopped = await ask(product, ["stop", first.attempt.id], { env });
    const used = { input_tokens: 2_000_000, output_tokens: 200_000, cost_estimated: true };
    expect(stopped.run.usage).toMatchObject({ ...used, cost_usd: expect.closeTo(1.5 + 0.9, 6) });
    const next = await ask(product, ["continue", first.attempt.id, "Go on"], { env });
    const more = { input_tokens: 1_000_000, output_tokens: 100_000, cost_estimated: true };
    expect(next.run.usage).toMatchObject({ ...more, cost_usd: expect.closeTo(0.75 + 0.45, 6) });
    expect(next.attempt.usage).toMatchObject({ input_tokens: 3_000_000, output_tokens: 300_000 });
  },
);
