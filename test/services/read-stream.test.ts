import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { codex } from "../../src/executors/codex/index.ts";
import { KEEPER_FILES } from "../../src/keeper/files.ts";
import type { ServiceContext } from "../../src/services/core/context.ts";
import {
  type RecordedStream,
  readAgentEvents,
  stderrTail,
} from "../../src/services/runs/agent/read-stream.ts";
import { tempDir } from "../helpers/temp-dir.ts";

test("only a line feed ends a line of what an agent printed", async () => {
  await using dir = await tempDir();
  const context = {
    db: { kind: "sqlite" },
    paths: { run: () => dir.path },
    newId: () => "new",
    selfCommand: ["tazuna"],
    userEnv: {},
  };
  const source = { run: { id: "r" }, attempt: { worktree: "/w" }, executor: codex };
  const text = "one\u2028two\u2029three";
  const item = JSON.stringify({ type: "item.completed", item: { id: "i", type: "agent_message", text } });
  await writeFile(join(dir.path, KEEPER_FILES.out), `${item}\r\n`);
  const events = await readAgentEvents(
    context as unknown as ServiceContext,
    source as unknown as RecordedStream,
  );
  expect(events).toEqual([{ kind: "message", text, delta: false }]);
});

test("of a long stderr only the end is read", async () => {
  await using dir = await tempDir();
  const context = { paths: { run: () => dir.path } } as unknown as ServiceContext;
  expect(await stderrTail(context, "r", 10)).toBe("");
  await writeFile(join(dir.path, KEEPER_FILES.err), `${"x".repeat(1_000_000)}the end.\n`);
  expect(await stderrTail(context, "r", 9)).toBe("the end.\n");
});
