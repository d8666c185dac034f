/** Reads what happened in a run, line by line, and follows it while it goes on. */
import { err, ok, type Result } from "neverthrow";
import type { LogLine } from "../../contract/answers.ts";
import { pause } from "../../contract/pause.ts";
import { fromApi } from "../cli-error.ts";
import type { CliError } from "../cli-options.ts";
import {
  argument,
  type CommonFlags,
  defineCommand,
  JSON_FLAG,
  type Outcome,
  type Scope,
  switchFlag,
} from "../command.ts";
import { createEngine, type Engine } from "../engine.ts";
import { jsonText } from "../print.ts";
import { resolveRun } from "../resolve-id.ts";
import { createLogWriter } from "../view/log-writer.ts";
import { listenForInterrupts } from "../wait/interrupts.ts";

const PAGE = 1000;
const MOST_LOSSES_IN_A_ROW = 5;

type Flags = CommonFlags & { readonly follow: boolean };

export const logsCommand = defineCommand<Flags, [run: string]>({
  brief: "Read what happened in a run, line by line",
  parameters: {
    positional: { kind: "tuple", parameters: [argument("RUN", "The run, or an attempt for its latest run")] },
    flags: {
      follow: switchFlag("Go on until the run has ended; with --json one object a line"),
      ...JSON_FLAG,
    },
    aliases: { f: "follow" },
  },
  async act(scope, { follow }, id) {
    const engine = createEngine(scope, { foreground: false });
    const found = await resolveRun(engine, id);
    if (found.isErr()) return err(found.error);
    const run = found.value.run.id;
    if (follow) return followLog(scope, engine, run);
    return scope.json ? wholeLog(engine, run) : printLog(scope, engine, run);
  },
});

async function wholeLog(engine: Engine, run: string): Promise<Outcome> {
  const lines: LogLine[] = [];
  const next = await eachPage(engine, run, (page) => void lines.push(...page));
  return next.map((value) => ({ exit: 0, document: { lines, next: value } }));
}

async function printLog({ terminal }: Scope, engine: Engine, run: string): Promise<Outcome> {
  const writer = createLogWriter(terminal.stdout);
  const next = await eachPage(engine, run, (page) => {
    for (const line of page) writer.line(line);
  });
  writer.end();
  return next.map(() => ({ exit: 0 }));
}

/** Every line that is there now, page by page; answers the number to read on from. */
async function eachPage(
  engine: Engine,
  run: string,
  take: (lines: readonly LogLine[]) => void,
): Promise<Result<number, CliError>> {
  let after = 0;
  for (;;) {
    const from = after;
    const page = await engine.ask((client) => client.log(run, { after: from, limit: PAGE }));
    if (page.isErr()) return err(page.error);
    take(page.value.lines);
    after = page.value.next;
    if (page.value.lines.length === 0 || page.value.ended) return ok(after);
  }
}

/** Over every engine that comes and goes meanwhile; Ctrl-C ends the reading only. */
async function followLog(scope: Scope, engine: Engine, run: string): Promise<Outcome> {
  const { terminal, json } = scope;
  const writer = createLogWriter(terminal.stdout);
  const interrupts = listenForInterrupts(terminal);
  const stop = new AbortController();
  interrupts.first.then(() => stop.abort());
  let after = 0;
  try {
    for (let losses = 0; losses <= MOST_LOSSES_IN_A_ROW; losses += 1) {
      const client = await engine.client();
      if (client.isErr()) return err(client.error);
      const before = after;
      const end = await client.value.followLog(run, {
        after,
        signal: stop.signal,
        retries: 0,
        onLine: (line) => {
          after = line.n;
          if (json) terminal.stdout.write(jsonText(line, { oneLine: true }));
          if (!json) writer.line(line);
        },
      });
      if (end.reason !== "lost") return ok({ exit: end.reason === "ended" ? 0 : 130 });
      if (end.error.kind !== "unreachable") return err(fromApi(end.error));
      engine.lost(client.value);
      if (after > before) losses = 0;
      await pause(100 * losses, stop.signal);
    }
    return err(LOG_LOST);
  } finally {
    if (!json) writer.end();
    interrupts.end();
  }
}

const LOG_LOST: CliError = {
  exit: 1,
  code: "engine_lost",
  message: "The engine went away again and again.",
  remedy: "The run goes on without it; run the command again, `server.log` in the data folder says more.",
  details: {},
};
