/** Serves the verbs of the API over MCP to a person's own agent, through the engine (ADR 0071). */
import { err, ok, type Result } from "neverthrow";
import type { CliError, McpOptions, McpServing } from "../../cli/shared/cli-options.ts";
import type { Client } from "../../contract/client/client.ts";
import { createSteadyClient } from "../../contract/client/steady-client.ts";
import type { ApiError } from "../../contract/problem.ts";
import { settingsOfEnvironment } from "../../domain/task/task-settings.ts";
import { createControlServer } from "../../mcp/control/create-control-server.ts";
import { connect } from "../find-engine/connect.ts";
import type { CallingSettings } from "../find-engine/living-server.ts";
import type { Settings } from "../process/settings.ts";
import { reportMcp } from "../server/make-mcp-server.ts";
import { serveOverStdio } from "../server/mcp-stdio.ts";
import { realFolder } from "../server/tool-rules.ts";

export async function serveControl(
  settings: Settings,
  { workspace, httpPort }: McpOptions,
  onListen: (serving: McpServing) => void,
): Promise<Result<void, CliError>> {
  const { env, version } = settings;
  if (env.TAZUNA_ATTEMPT) return err(INSIDE_ATTEMPT);
  const named = workspace ?? (env.TAZUNA_WORKSPACE || process.cwd());
  const folder = realFolder(named);
  if (folder === null) return err(noFolder(named));
  const task = settingsOfEnvironment(env).task;
  const makeServer = () =>
    createControlServer({
      engineFor: (agent) => engineOf({ ...settings, agent }),
      ...{ folder, settings: task, version, report: reportMcp },
    });
  if (httpPort === null) return serveOverStdio(makeServer);
  const { serveMcpHttp } = await import("../server/mcp-http.ts");
  return serveMcpHttp(settings, { place: { scope: folder, makeServer }, port: httpPort, onListen });
}

/** Found or started at the first call, as by every command. */
function engineOf(settings: CallingSettings) {
  const reach = async (): Promise<Result<Client, ApiError>> => {
    const client = await connect(settings, reportMcp);
    return client.isOk() ? ok(client.value) : err(asApiError(client.error));
  };
  return createSteadyClient({ connect: reach, refused: (error: ApiError) => error });
}

function asApiError({ code, message, remedy, details }: CliError): ApiError {
  return { kind: "failed", code, message, remedy, details };
}

function noFolder(folder: string): CliError {
  return {
    exit: 2,
    code: "no_such_folder",
    message: `There is no folder ${folder}.`,
    remedy: "Name one that exists, or leave out `--workspace` to mean the folder that you are in.",
    details: {},
  };
}

const INSIDE_ATTEMPT: CliError = {
  exit: 2,
  code: "inside_attempt",
  message: "The agent of an attempt cannot steer attempts.",
  remedy:
    "Leave out `--control`: within an attempt there is the toolkit. Your own agent calls this outside of attempts.",
  details: {},
};
