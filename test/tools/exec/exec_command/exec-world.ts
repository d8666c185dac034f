/** Makes a workspace in which commands run with an environment that tells their processes from all others. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ToolResult } from "../../../../src/lib.ts";
import { ToolCatalog } from "../../../../src/tools/catalog.ts";
import { contextOn, type Host, type ToolContextOptions } from "../../../../src/tools/core/context.ts";
import { createSecureTool } from "../../../../src/tools/core/secure-tool.ts";
import type { CallOptions } from "../../../../src/tools/core/tool.ts";
import type { ExecCommandOutput } from "../../../../src/tools/exec/exec_command/types.ts";
import { taggedEnv } from "../../../helpers/programs.ts";
import { tempDir } from "../../../helpers/temp-dir.ts";

export interface ExecWorld extends AsyncDisposable {
  /** The workspace, absolute and real; `secret` lies beside it. */
  readonly root: string;
  /** `exec_command` as a door calls it; `cwd` is the root unless told. */
  call(args: object, options?: CallOptions): Promise<ToolResult<ExecCommandOutput>>;
  /** The data of a success; throws with the message of anything else. */
  run(command: readonly string[], more?: object): Promise<ExecCommandOutput>;
  /** The code of a refusal, or `success`. */
  codeOf(args: unknown): Promise<string>;
  write(path: string, text: string, mode?: number): Promise<string>;
  /** Pids of living processes that a command started. */
  left(): Promise<readonly number[]>;
}

export async function execWorld(
  options: Partial<ToolContextOptions> & {
    readonly platform?: NodeJS.Platform;
    readonly env?: Readonly<Record<string, string | undefined>>;
  } = {},
): Promise<ExecWorld> {
  const { platform = process.platform, env = {}, ...rest } = options;
  const dir = await tempDir();
  const root = join(dir.path, "ws");
  await mkdir(root);
  await writeFile(join(dir.path, "secret"), "secret\n");
  const tagged = taggedEnv();
  const host: Host = { platform, environment: () => ({ ...tagged.env, ...env }) };
  const context = contextOn(host, { workspaceRoot: root, policy: { defaultPolicy: "allow" }, ...rest });
  const secure = createSecureTool(ToolCatalog.exec_command, context);
  const call = (args: object, callOptions?: CallOptions) => secure({ cwd: root, ...args }, callOptions);
  return {
    root,
    call,
    run: async (command, more = {}) => {
      const result = await call({ command, ...more });
      if (result.status !== "success") throw new Error(`${result.error.code}: ${result.message}`);
      return result.data;
    },
    codeOf: async (args) => {
      const result = await secure(args);
      return result.status === "success" ? "success" : result.error.code;
    },
    write: async (path, text, mode = 0o644) => {
      const file = join(root, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text, { mode });
      return file;
    },
    left: () => tagged.left(),
    [Symbol.asyncDispose]: async () => {
      await tagged[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}
