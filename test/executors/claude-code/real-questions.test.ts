import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { claudeCode } from "../../../src/executors/claude-code/index.ts";
import type { Executor } from "../../../src/executors/shared/executor.ts";
import { agentHome } from "../../helpers/agent-home.ts";
import { launchRequest } from "../../helpers/agent-streams.ts";
import { startFakeModel } from "../../helpers/fake-model/start-fake-model.ts";
import { realAgent } from "../../helpers/real-agents.ts";
import { OUTSIDE_DEV, tempDir } from "../../helpers/temp-dir.ts";
import { deep } from "../../helpers/tier.ts";
import { linkedWorktree, PATIENCE_MS, realRun } from "../real-run.ts";

const real = realAgent("claude");
const skipped = real.skip === null ? "" : ` [skipped: ${real.skip}]`;

/** A person who answers every question at once, by the words of its command. */
const answered: Executor = {
  ...claudeCode,
  parser: (options) => {
    const parser = claudeCode.parser(options);
    return {
      ...parser,
      feed: (line) => {
        const events = parser.feed(line);
        for (const event of events) {
          if (event.kind !== "question") continue;
          const kind = event.command?.includes("allowed") ? "allow" : "deny";
          parser.answer?.(event.key, { kind, text: null, option: kind, by: null, at: "" });
        }
        return events;
      },
    };
  },
};

test.skipIf(real.skip !== null)(
  deep(
    `the real claude asks: what is allowed runs, what is denied does not, and rules answer the rest${skipped}`,
  ),
  async () => {
    const commands = ["touch inside.txt", "curl -s x; touch allowed.txt", "wget -q x; touch denied.txt"];
    const turns = commands.map((command) => ({ tools: [{ op: "shell" as const, command }] }));
    const script = { scenarios: [{ when: /TASK/, turns: [...turns, { text: "All was asked." }] }] };
    await using model = await startFakeModel({ script });
    await using home = await agentHome("claude-code", { url: model.url });
    await using folder = await tempDir(OUTSIDE_DEV);
    const worktree = await linkedWorktree(folder.path);
    const run = await realRun(
      answered,
      launchRequest({
        worktree,
        agentDir: join(folder.path, "run", "agent"),
        summaryFile: join(folder.path, "run", "summary.txt"),
        prompt: "TASK",
        approvals: "ask",
        session: { resume: null, fresh: crypto.randomUUID() },
        profile: { ...home.profile, command: real.binary === null ? null : [real.binary] },
      }),
    );
    expect(run.result).toMatchObject({ ok: true, summary: "All was asked." });
    const asked = run.events.flatMap((event) => (event.kind === "question" ? [event.command] : []));
    expect(asked).toEqual(commands.slice(1));
    const made = ["inside.txt", "allowed.txt", "denied.txt"].map((name) => existsSync(join(worktree, name)));
    expect(made).toEqual([true, true, false]);
    expect(run.exitCode).toBe(0);
  },
  PATIENCE_MS,
);
