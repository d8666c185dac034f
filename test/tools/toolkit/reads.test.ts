import { describe, expect, test } from "bun:test";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { createAgentToolkit, createToolContext, ToolCatalog } from "../../../src/lib.ts";
import type { Tool } from "../../../src/tools/core/tool.ts";
import { gitSandbox, writeFiles } from "../../helpers/git-repo.ts";

/** All that is there, `.git` too: kind, time of the last change, content. */
function everything(folder: string): readonly unknown[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const stats = lstatSync(path);
    const isFolder = stats.isDirectory();
    return [
      [path, stats.mode, stats.mtimeMs, isFolder ? null : readFileSync(path, "base64")],
      ...(isFolder ? everything(path) : []),
    ];
  });
}

const ARGUMENTS: Readonly<Record<string, object>> = {
  read_file: { path: "README.md" },
  codebase_search: { query: "changed" },
  get_service_logs: { name: "none" },
  ask_person: { question: "Which?" },
};
const askPerson = async () => ({ kind: "text", text: "This." }) as const;
const READING = Object.entries<Tool>(ToolCatalog).filter(([, { effect }]) => effect === "reads");
const TIERS = ["open", "guarded", "read-only"] as const;

describe("a tool that only reads, as its MCP annotation says, leaves every byte as it is", () => {
  test.each(TIERS.flatMap((git) => READING.map(([name]) => [git, name] as const)))(
    "git %s: %s",
    async (git, name) => {
      await using sandbox = await gitSandbox();
      const workspaceRoot = await sandbox.repository("project");
      await writeFiles(workspaceRoot, { "README.md": "changed\n", "kept.txt": "kept\n" });
      await sandbox.git(workspaceRoot, ["add", "kept.txt"]);
      // It only looks changed: git would write down that it is not.
      await utimes(join(workspaceRoot, "kept.txt"), 1, 1);
      const context = createToolContext({
        workspaceRoot,
        git,
        policy: { defaultPolicy: "allow" },
        askPerson,
      });
      const toolkit = createAgentToolkit(context);
      const before = everything(workspaceRoot);
      const answer = await toolkit.invoke(name, ARGUMENTS[name] ?? {});
      expect(["success", "NOT_FOUND"]).toContain(answer.status === "success" ? "success" : answer.error.code);
      expect(everything(workspaceRoot)).toEqual(before);
      await toolkit.close();
    },
  );
});
