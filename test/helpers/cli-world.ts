/** Runs the command line against the HTTP door over services in memory. */
import { ok, type Result } from "neverthrow";
import { createCli } from "../../src/cli/create-cli.ts";
import type { CliError, Entries, EnvironmentSettings, ExitCode } from "../../src/cli/shared/cli-options.ts";
import type { Client } from "../../src/contract/client/client.ts";
import { type DoorServer, doorServer } from "./door-server.ts";
import { type FakeTerminal, type FakeTerminalOptions, fakeTerminal } from "./fake-terminal.ts";
import type { MemoryServices } from "./memory-services.ts";
import { PUSHED } from "./sample-documents.ts";

export interface CliWorld extends AsyncDisposable {
  readonly services: MemoryServices;
  readonly door: DoorServer;
  /** How often the command line connected, and how. */
  readonly connections: { readonly foreground: boolean }[];
  /** Begins a command and answers its terminal at once. */
  start(argv: readonly string[], options?: FakeTerminalOptions): Started;
  /** Runs a command to its end. */
  run(...argv: readonly string[]): Promise<Ended>;
}

export interface Started {
  readonly terminal: FakeTerminal;
  readonly ended: Promise<Ended>;
}

export interface Ended {
  readonly exit: ExitCode;
  readonly out: string;
  readonly err: string;
}

export interface CliWorldOptions {
  readonly door?: DoorServer;
  readonly connect?: () => Promise<Result<Client, CliError>>;
  readonly entries?: Partial<Entries>;
  readonly environment?: EnvironmentSettings;
  /** How long a first Ctrl-C waits for a second one. */
  readonly graceMs?: number;
}

export function cliWorld(options: CliWorldOptions = {}): CliWorld {
  const door = options.door ?? doorServer();
  const connections: { foreground: boolean }[] = [];
  const start = (argv: readonly string[], terminalOptions: FakeTerminalOptions = {}): Started => {
    const terminal = fakeTerminal(terminalOptions);
    const cli = createCli({
      connect: async (how) => {
        connections.push(how);
        return options.connect?.() ?? ok(door.client);
      },
      entries: {
        serve: async () => ok(undefined),
        worker: async () => ok(undefined),
        configSchema: async () => ({}),
        engine: async () => {
          throw new Error("no engine in this test");
        },
        setConfig: async ({ key, value }) =>
          ok({ file: "/data/config.json", key, value, unset: value === null, before: null }),
        doctor: async () => [],
        mcp: async () => ok(undefined),
        tools: async () => [],
        tool: async () => ok(undefined),
        ...options.entries,
      },
      terminal,
      environment: options.environment ?? { task: {}, engine: [] },
      version: "1.2.3",
      interruptGraceMs: options.graceMs ?? 150,
    });
    const ended = cli.run(argv).then((exit) => ({ exit, out: terminal.out(), err: terminal.err() }));
    return { terminal, ended };
  };
  return {
    services: door.services,
    door,
    connections,
    start,
    run: (...argv) => start(argv).ended,
    [Symbol.asyncDispose]: () => door.stop(),
  };
}

/** Every run of a new task is pushed as soon as it was created. */
export function pushEverything(services: MemoryServices): void {
  services.onCreated = ({ attempts }) => {
    for (const { runs } of attempts) {
      const run = runs.at(-1);
      if (run?.status === "PENDING") services.change(run.id, PUSHED);
    }
  };
}
