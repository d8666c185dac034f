/** Runs one command of the command line, with the real terminal and the engine's client. */
import { err, ok } from "neverthrow";
import { createCli } from "../../cli/create-cli.ts";
import { otherVariables } from "../../domain/configuration/own-variables.ts";
import { settingsOfEnvironment } from "../../domain/task/task-settings.ts";
import { readSettings, stayOffProxies } from "../process/settings.ts";
import { createTerminal } from "../process/terminal.ts";

/** Answers the exit code. The command that needs a module loads it. */
export async function runCliEntry(argv: readonly string[]): Promise<number> {
  const settings = readSettings();
  stayOffProxies();
  const printed = new Set<string>();
  const tell = (line: string) => {
    if (!printed.has(line)) process.stderr.write(`${line}\n`);
    printed.add(line);
  };
  const foreground: { stop: (() => Promise<void>) | null } = { stop: null };
  const cli = createCli({
    version: settings.version,
    terminal: createTerminal(settings),
    environment: settingsOfEnvironment(settings.env),
    connect: async (options) => {
      if (otherVariables(settings.env).length > 0) {
        const { unknownVariables } = await import("../../domain/configuration/variables.ts");
        for (const { message } of unknownVariables(settings.env)) tell(message);
      }
      if (!options.foreground) return (await import("../find-engine/connect.ts")).connect(settings, tell);
      const engine = await (await import("./foreground.ts")).connectForeground(settings);
      if (engine.isErr()) return err(engine.error);
      foreground.stop = engine.value.stop;
      return ok(engine.value.client);
    },
    entries: {
      serve: async (options, onReady) => (await import("./serve-entry.ts")).serve(settings, options, onReady),
      worker: async (options, tellLine) =>
        (await import("../worker/worker.ts")).work(settings, options, tellLine),
      configSchema: async () =>
        (await import("../../domain/configuration/schema.ts")).configurationJsonSchema(),
      engine: async () => (await import("./engine-entry.ts")).createEngineEntry(settings, tell),
      setConfig: async (options) => (await import("../process/set-config.ts")).setConfig(settings, options),
      doctor: async (folder) => (await import("./doctor-entry.ts")).doctorEntry(settings, folder),
      mcp: async (options, onListen) =>
        (await import("./mcp-entry.ts")).serveMcp(settings, options, onListen),
      tools: async () => (await import("../process/list-tools.ts")).listTools(),
      tool: async (options) => (await import("./tool-entry.ts")).callTool(settings, options),
    },
  });
  const code = await cli.run(argv);
  await foreground.stop?.();
  return code;
}
