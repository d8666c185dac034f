/** Tells that a log shows stderr between the lines of stdout, to each reader once and in one order. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ask, ending, PATIENCE_MS } from "../helpers/journey.ts";
import { BIN } from "../helpers/mcp.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

interface Line {
  readonly n: number;
  readonly source: string;
  readonly event: { readonly kind?: string; readonly text?: string };
}

/** A `logs --follow` that is read while it goes on. */
function follow(product: Product, run: string) {
  const child = Bun.spawn([BIN, "logs", run, "--follow", "--json"], {
    cwd: product.repository,
    env: product.env,
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines: Line[] = [];
  const chunks = child.stdout.pipeThrough(new TextDecoderStream()).values();
  let begun = "";
  /** Reads until a line with these words has come, or to the end. */
  const until = async (text: string | null): Promise<void> => {
    while (text === null || !lines.some(({ event }) => event.text === text)) {
      const { done, value } = await chunks.next();
      if (done) return;
      const parts = `${begun}${value}`.split("\n");
      begun = parts.pop() ?? "";
      lines.push(...parts.map((part) => JSON.parse(part) as Line));
    }
  };
  return { lines, until, exited: child.exited };
}

const STEPS = ["out one", "err two", "err three", "out four", "err five", "out six", "err seven"];

const SPEAKERS = {
  command: { begin: "", say: "echo", end: "" },
  codex: {
    begin: `echo '{"type":"thread.started","thread_id":"019a0000-0000-7000-8000-000000000001"}'`,
    say: `printf '{"type":"item.completed","item":{"id":"i","type":"agent_message","text":"%s"}}\\n'`,
    end: `echo '{"type":"turn.completed","usage":{"input_tokens":1,"cached_input_tokens":0,"output_tokens":1}}'`,
  },
  "claude-code": {
    begin: "",
    say: `printf '{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"%s"}]},"session_id":"s"}\\n'`,
    end: `echo '{"type":"result","subtype":"success","is_error":false,"result":"Done.","session_id":"s","usage":{"input_tokens":1,"output_tokens":1}}'`,
  },
} as const;

/** Says each step once the one before it is known to have been read. */
function script(gates: string, { begin, say, end }: (typeof SPEAKERS)[keyof typeof SPEAKERS]): string {
  const steps = STEPS.map((text, at) => {
    const said = text.startsWith("out") ? `${say} '${text}'` : `echo '${text}' >&2`;
    return `until [ -e '${gates}/${at}' ]; do sleep 0.02; done; ${said}`;
  });
  return ["echo more > more.txt", begin, ...steps, end].join("\n");
}

for (const [executor, speaker] of Object.entries(SPEAKERS)) {
  const title = `a log that is followed shows the stderr of a ${executor} agent in its place, over the engine's death`;
  test(executor === "command" ? title : deep(title), async () => {
    await using product = await startProduct();
    const gates = join(dirname(product.home), "gates");
    await mkdir(gates);
    await product.agent("talker", script(gates, speaker), { executor });
    const begun = await ask(product, ["run", "Talk", "--agent", "talker", "--detach"]);
    const following = follow(product, begun.run.id);
    for (const [at, text] of STEPS.entries()) {
      await writeFile(join(gates, String(at)), "");
      await following.until(text);
      if (at === 2) await product.killEngine();
    }
    await following.until(null);
    expect(await following.exited).toBe(0);
    expect(ending((await ask(product, ["wait", begun.run.id])).run)).toMatchObject({ status: "SUCCEEDED" });
    const { lines } = following;
    const said = lines.filter(({ event }) => STEPS.includes(event.text ?? ""));
    expect(said.map(({ event }) => event.text)).toEqual([...STEPS]);
    expect(said.map(({ source }) => source)).toEqual(
      STEPS.map((text) => (text.startsWith("out") ? "agent" : "stderr")),
    );
    expect(lines.map(({ n }) => n)).toEqual(lines.map((_, at) => at + 1));
    const { lines: again } = (await product.tazuna(["logs", begun.run.id, "--json"])).json<{
      lines: Line[];
    }>();
    expect(again).toEqual(lines);
    const text = await product.tazuna(["logs", begun.run.id, "--tail", "4"]);
    expect(text.stdout).toContain("stderr: err seven");
  });
}

test("a run of an older keeper, which noted no places, shows its stderr at the end", async () => {
  await using product = await startProduct();
  await product.agent("talker", "echo err >&2; echo out; echo more > more.txt");
  const { run } = await ask(product, ["run", "Talk", "--agent", "talker"]);
  await rm(join(product.home, "runs", run.id, "err.places"));
  const { lines } = (await product.tazuna(["logs", run.id, "--json"])).json<{ lines: Line[] }>();
  const said = lines.filter(({ source }) => source !== "tazuna").map(({ event }) => event.text);
  expect(said).toEqual(["out", "err"]);
});
