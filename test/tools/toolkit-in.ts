/** Makes a toolkit on a scratch workspace, beside which lies a folder that no tool may reach. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type AgentToolkit,
  createAgentToolkit,
  createToolContext,
  type ToolContextOptions,
} from "../../src/lib.ts";
import { tempDir } from "../helpers/temp-dir.ts";

export interface Bench extends AsyncDisposable {
  readonly toolkit: AgentToolkit;
  /** The workspace, absolute and real. */
  readonly root: string;
  /** Beside the workspace; holds the file `secret`. */
  readonly outside: string;
  invoke(name: string, args?: unknown): ReturnType<AgentToolkit["invoke"]>;
}

export async function toolkitIn(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  options: Partial<ToolContextOptions> = {},
): Promise<Bench> {
  const dir = await tempDir();
  const [root, outside] = [join(dir.path, "ws"), join(dir.path, "outside")];
  for (const folder of [root, outside]) await mkdir(folder);
  await writeFile(join(outside, "secret"), "secret\n");
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  const toolkit = createAgentToolkit(
    createToolContext({ workspaceRoot: root, policy: { defaultPolicy: "allow" }, ...options }),
  );
  return {
    toolkit,
    root,
    outside,
    invoke: (name, args) => toolkit.invoke(name, args),
    [Symbol.asyncDispose]: async () => {
      await toolkit.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}

/** The code of a refusal, or `success`. */
export async function codeOf(call: ReturnType<AgentToolkit["invoke"]>): Promise<string> {
  const result = await call;
  return result.status === "success" ? "success" : result.error.code;
}
