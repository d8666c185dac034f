/** Talks to the engine of this data folder, and words its refusals for the command line. */
import { createSteadyClient, type SteadyClient } from "../../contract/client/steady-client.ts";
import { fromApi } from "./cli-error.ts";
import type { CliError, CliOptions, ConnectOptions } from "./cli-options.ts";

export type Engine = SteadyClient<CliError>;

export function createEngine(options: Pick<CliOptions, "connect">, how: ConnectOptions): Engine {
  return createSteadyClient({ connect: () => options.connect(how), refused: fromApi });
}
