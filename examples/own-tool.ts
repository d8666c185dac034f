/** Puts the same checks in front of a tool of one's own. */
import { readdir } from "node:fs/promises";
import { createSecureTool, createToolContext, defineTool } from "tazuna";
import { z } from "zod";

const countFiles = defineTool({
  definition: {
    name: "count_files",
    description: "Counts what lies in a folder of the workspace.",
    parameters: {
      type: "object",
      properties: { folder: { type: "string", description: "Folder in the workspace." } },
      required: ["folder"],
    },
  },
  title: "Count files",
  input: z.strictObject({ folder: z.string().min(1, "must not be empty") }),
  output: z.strictObject({ count: z.int() }),
  effect: "reads",
  hints: { destructive: false, idempotent: true, openWorld: false },
  paths: [{ argument: "folder", must: "be-directory", absolute: "refused" }],
  codes: {},
  notes: [],
  async run(_input, { paths, context }) {
    const names = await readdir(paths.folder ?? context.workspaceRoot);
    return { status: "success", data: { count: names.length } };
  },
});

const context = createToolContext({
  workspaceRoot: process.cwd(),
  writeScope: "read-only",
  policy: { tools: { count_files: "allow" } },
  ownTools: ["count_files"],
});
const count = createSecureTool(countFiles, context);

console.log((await count({ folder: "." })).status); // success
console.log((await count({ folder: ".." })).status); // denied: OUTSIDE_WORKSPACE
console.log((await count({ folder: 7 })).status); // failure: INVALID_ARGUMENT
