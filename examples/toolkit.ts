/** Lets a program use the tools on one folder: examples/toolkit.ts [FOLDER] */
import { resolve } from "node:path";
import { createAgentToolkit, createToolContext } from "tazuna";

const context = createToolContext({
  workspaceRoot: resolve(process.argv[2] ?? "."),
  policy: { tools: { exec_command: "allow", git_status_summary: "allow" } },
});
const toolkit = createAgentToolkit(context);

const status = await toolkit.gitStatusSummary();
if (status.status === "success") console.log(`on ${status.data.branch ?? "no branch"}`);
else console.log(`${status.error.code}: ${status.message}`);

const listed = await toolkit.execCommand(".", ["ls"], { shell_mode: "direct", timeout_ms: 5_000 });
if (listed.status === "success") console.log(`exit code ${listed.data.exit_code}\n${listed.data.stdout}`);

await toolkit.close();
