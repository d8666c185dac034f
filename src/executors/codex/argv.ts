/** Writes the command line of Codex for one run. */
import type { LaunchRequest } from "../executor.ts";
import { programOf } from "../launch.ts";
import { codexConfig, hookOf } from "./settings.ts";

/**
 * `codex exec`, events as JSON lines, the prompt on stdin (`-`). A resumed thread takes neither `--cd` nor `--sandbox`:
 * it works where the process stands, and the sandbox comes as configuration.
 */
export function codexArgv(request: LaunchRequest): readonly string[] {
  const { profile, session, worktree } = request;
  const settings = codexConfig(request).flatMap(([key, value]) => ["--config", `${key}=${value}`]);
  const model = profile.model === null ? [] : ["--model", profile.model];
  const mode = sandboxMode(request);
  const first = ["exec", "--json", "--cd", worktree, "--sandbox", mode];
  const resumed = ["exec", "resume", "--json", "--config", `sandbox_mode="${mode}"`];
  return [
    ...programOf(profile, "codex"),
    ...(session.resume === null ? first : resumed),
    ...model,
    ...settings,
    ...hookOf(request).map(() => "--dangerously-bypass-hook-trust"),
    ...profile.args,
    ...(session.resume === null ? ["-"] : [session.resume, "-"]),
  ];
}

/** Its own sandbox also forbids loopback, so inside ours it is off. */
function sandboxMode(request: LaunchRequest): "danger-full-access" | "workspace-write" {
  return request.isolation === "sandbox" ? "danger-full-access" : "workspace-write";
}
