/**
 * Defines the tool `spawn_service`: a command that runs in the background until it is stopped or the toolkit is closed (seed
 * 001 §3.3, §9).
 */
import { sandboxOf } from "../../core/context.ts";
import { success } from "../../core/result.ts";
import { defineTool } from "../../core/tool.ts";
import { guardExec } from "../../git/judge/guard-exec.ts";
import { servicesOfContext } from "../services.ts";
import { SPAWN_SERVICE_CONTRACT } from "./contract.ts";
import { spawnService } from "./usecase.ts";

export const spawnServiceTool = defineTool({
  ...SPAWN_SERVICE_CONTRACT,
  title: "Start a service",
  effect: "executes",
  hints: { destructive: true, idempotent: false, openWorld: true },
  paths: [{ argument: "cwd", must: "be-directory", absolute: "inside" }],
  notes: [
    "At most 16 services live in one context. As many that have ended are remembered, with their logs, until their name is used again.",
    "A service lives as long as its context: `toolkit.close()` and the end of `tazuna mcp` stop every process of it. If that process itself is killed with KILL, its services go on running.",
    "If both `port` and `ready_text` are given, both are waited for. A port on which a program listens already is refused before anything is started.",
    "The command stays in the foreground: when it ends, the service has ended, and what it left behind is stopped. Its stdin is empty.",
    "A service that ends, or is not ready in time, is a failure and leaves no process. Its logs can still be read.",
    "If the context guards git, a service that is a call of git is judged as `exec_command` judges it.",
    "Its environment is that of the calling process, as with `exec_command`. What it may reach and how tokens are quoted is the same too.",
  ],
  async run(input, { context, paths, ...options }) {
    const { cwd = context.workspaceRoot } = paths;
    const guarded = await guardExec(input.command, { ...options, context, cwd, stdin: null });
    if (guarded.isErr()) return guarded.error;
    const result = await spawnService({
      ...options,
      name: input.name,
      command: input.command,
      cwd,
      workspaceRoot: context.workspaceRoot,
      env: context.host.environment(),
      ...(guarded.value === null ? {} : { command: guarded.value.command, env: guarded.value.env }),
      shellMode: input.shell_mode,
      port: input.port ?? null,
      readyText: input.ready_text ?? null,
      readyAfterMs: input.ready_after_ms,
      readyTimeoutMs: input.ready_timeout_ms,
      platform: context.host.platform,
      services: context.shared.get(servicesOfContext),
    });
    return result.match(
      ({ data, meta }) => success(data, { ...meta, sandbox: sandboxOf(context.host) }),
      (refusal) => refusal,
    );
  },
});
