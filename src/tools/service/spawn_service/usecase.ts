/** Starts a service, waits until it is ready, and leaves nothing behind if it does not become ready. */
import { err, ok, type Result } from "neverthrow";
import type { Environment } from "../../../utils/exec.ts";
import { holdFolder } from "../../core/hold-folder.ts";
import { failure, success, type ToolRefusal, type ToolSuccess } from "../../core/result.ts";
import type { CallOptions } from "../../core/tool.ts";
import { resolveCommand } from "../../exec/exec_command/resolve_command.ts";
import { canceled, startRefusal } from "../../exec/exec_command/start_refusal.ts";
import { isListening } from "../loopback-port.ts";
import { type Service, startService } from "../service.ts";
import { portInUse, type Services } from "../services.ts";
import { type ReadyOutcome, untilReady } from "../until-ready.ts";
import type { SpawnServiceOutput } from "./contract.ts";

interface ServiceToSpawn extends CallOptions {
  readonly name: string;
  readonly command: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** The folder that `cwd` must still be in when the service starts. */
  readonly workspaceRoot: string;
  readonly shellMode: "default" | "direct";
  readonly port: number | null;
  readonly readyText: string | null;
  readonly readyAfterMs: number;
  readonly readyTimeoutMs: number;
  readonly platform: NodeJS.Platform;
  readonly env: Environment;
  readonly services: Services;
}

/** Between TERM and KILL if it did not become ready. */
const GRACE_MS = 500;
/** UTF-16 units of a service's last output. */
const LAST_WORDS = 4000;

export async function spawnService(
  wanted: ServiceToSpawn,
): Promise<Result<ToolSuccess<SpawnServiceOutput>, ToolRefusal>> {
  const { services, signal } = wanted;
  if (signal?.aborted) return err(canceled("The call was canceled before anything was started."));
  const started = await services.start(wanted, () => start(wanted));
  if (started.isErr()) return err(started.error);
  const service = started.value;
  const outcome = await untilReady(service, {
    ...wanted,
    text: wanted.readyText,
    aliveMs: wanted.readyAfterMs,
    timeoutMs: wanted.readyTimeoutMs,
  });
  if (outcome !== "ready") {
    await service.stop({ graceMs: GRACE_MS });
    return err(notReady(service, outcome, wanted));
  }
  service.markReady();
  const { text, cursor } = lastWords(service);
  return ok(success({ ...service.record(), output: text, cursor }));
}

async function start(wanted: ServiceToSpawn): Promise<Result<Service, ToolRefusal>> {
  const { name, command, cwd, workspaceRoot, shellMode, port, env, platform } = wanted;
  const argv = resolveCommand(command, { shellMode, cwd, env, platform });
  if (argv.isErr()) return err(argv.error);
  // Check the port first, or a different server would prove that this one is ready.
  if (port !== null && (await isListening(port))) return err(portInUse(port, "another program"));
  const held = holdFolder(workspaceRoot, cwd);
  if (held.isErr()) return err(held.error);
  const request = { name, cwd, place: held.value.path, command, argv: argv.value, env, port };
  const started = await startService(request).finally(held.value.close);
  return started.mapErr((error) => startRefusal(error, { command, shellMode }));
}

function notReady(
  service: Service,
  outcome: Exclude<ReadyOutcome, "ready">,
  { name, readyTimeoutMs }: ServiceToSpawn,
): ToolRefusal {
  if (outcome === "canceled") return canceled(`The call was canceled; ${name} was stopped.`);
  const { exit_code, status } = service.record();
  const output = lastWords(service).text;
  const words = output === "" ? "It said nothing." : `Its last words:\n${output}`;
  const details = { exit_code, output };
  const end = status === "stopped" ? "was stopped" : `ended with exit code ${exit_code}`;
  if (outcome === "ended")
    return failure("SERVICE_ENDED", `${name} ${end} before it was ready. ${words}`, { details });
  const message = `${name} was not ready after ${readyTimeoutMs} ms and was stopped. ${words}`;
  return failure("NOT_READY", message, { retriable: true, details });
}

function lastWords(service: Service) {
  return service.log.read({ stream: "both", after: null, maxChars: LAST_WORDS });
}
