import { describe, expect, test } from "bun:test";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { command } from "../../../src/executors/command/index.ts";
import type { AgentProfile } from "../../../src/executors/shared/executor.ts";
import { agentExit, launchRequest } from "../../helpers/agent-streams.ts";
import { tempDir } from "../../helpers/temp-dir.ts";
import { realRun } from "../real-run.ts";

/** Runs a shell script as the agent of one run. */
async function run(script: string, more: { instruction?: string; profile?: Partial<AgentProfile> } = {}) {
  await using folder = await tempDir();
  const program = join(folder.path, "my agent.sh");
  await writeFile(program, `#!/bin/sh\n${script}\n`);
  await chmod(program, 0o755);
  const request = launchRequest({
    worktree: folder.path,
    agentDir: join(folder.path, "agent"),
    summaryFile: join(folder.path, "summary.txt"),
    prompt: "全体のプロンプト\nsecond line\n",
    instruction: more.instruction ?? "直してください",
    profile: { command: [program], executor: "command", ...more.profile },
  });
  const done = await realRun(command, request);
  return { ...done, texts: done.events.map((event) => (event.kind === "message" ? event.text : event.kind)) };
}

describe("a command agent", () => {
  test("gets the whole prompt on stdin and in a file, the instruction in a file and a variable", async () => {
    const { texts, result } = await run(
      'cat; echo "--"; cat "$TAZUNA_PROMPT_FILE"; echo "--"; cat "$TAZUNA_INSTRUCTION_FILE"; echo; echo "$TAZUNA_INSTRUCTION"',
    );
    expect(texts).toEqual([
      ...["全体のプロンプト", "second line", "--", "全体のプロンプト", "second line", "--"],
      ...["直してください", "直してください"],
    ]);
    expect(result).toEqual({ ok: true, summary: "直してください", usage: null, totals: null });
  });

  test("knows its run, attempt and task, and stands in the worktree", async () => {
    const { texts } = await run(
      'echo "$TAZUNA_RUN $TAZUNA_ATTEMPT $TAZUNA_TASK"; test -f "my agent.sh" && echo here',
    );
    expect(texts).toEqual(["run-1 attempt-1 task-1", "here"]);
  });

  test("says its summary in a file, else by its last line", async () => {
    const byFile = await run('echo working; printf "  Fixed it.\\n\\n" > "$TAZUNA_SUMMARY_FILE"; echo bye');
    expect(byFile.result.summary).toBe("Fixed it.");
    const byLine = await run('echo working; echo "All done"; echo "   "');
    expect(byLine.result.summary).toBe("All done");
    const empty = await run('echo last; printf " \\n" > "$TAZUNA_SUMMARY_FILE"');
    expect(empty.result.summary).toBe("last");
  });

  test("keeps an instruction of more than 100 KiB in the file alone", async () => {
    const script =
      'echo "$' + '{TAZUNA_INSTRUCTION-unset}" | head -c 5; echo; wc -c < "$TAZUNA_INSTRUCTION_FILE"';
    const fits = await run(script, { instruction: "x".repeat(100 * 1024) });
    expect(fits.texts.map((text) => text.trim())).toEqual(["xxxxx", "102400"]);
    const over = await run(script, { instruction: `あ${"x".repeat(100 * 1024 - 2)}` });
    expect(over.texts.map((text) => text.trim())).toEqual(["unset", "102401"]);
  });

  test("fails by its exit code, with its last words", async () => {
    const { result } = await run("echo half; echo 'no disk' >&2; exit 3");
    expect(result).toEqual({
      ok: false,
      failure: {
        code: "agent_failed",
        message: "The command ended with exit code 3: no disk",
        resumeAt: null,
        transient: false,
      },
      summary: "half",
      usage: null,
      totals: null,
    });
  });

  test("fails by a signal", async () => {
    const { result } = await run("kill -9 $$");
    expect(result).toMatchObject({
      ok: false,
      failure: { message: "The command ended with signal SIGKILL" },
    });
  });

  test("has its colours taken off and its arguments and variables passed on", async () => {
    const profile = { args: ["-x", "a b"], env: { COLOUR: "red" } };
    const { texts } = await run('printf "\\033[31m%s %s %s\\033[0m\\n" "$1" "$2" "$COLOUR"', {
      // The program comes from the script, so only the rest of the profile is given.
      profile,
    });
    expect(texts).toEqual(["-x a b red"]);
  });
});

test("a command that is not there is not found", () => {
  const parser = command.parser({ request: null, previous: null });
  expect(parser.finish(agentExit({ code: 127, stderr: "sh: x: not found" }))).toMatchObject({
    ok: false,
    failure: { code: "agent_not_found" },
  });
});
