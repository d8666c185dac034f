/** Prints what happened in a run, line by line, and follows it while it goes on. */
import { err, ok, type Result } from "neverthrow";
import { pause } from "../../../contract/client/pause.ts";
import type { LogLine, LogPage, SentLog } from "../../../contract/endpoints/runs.ts";
import { failed, fromApi } from "../../shared/cli-error.ts";
import type { CliError } from "../../shared/cli-options.ts";
import {
  argument,
  defineCommand,
  type Outcome,
  parsedFlag,
  type Scope,
  switchFlag,
} from "../../shared/command.ts";
import type { Engine } from "../../shared/engine.ts";
import { jsonText } from "../../shared/print.ts";
import { resolveRun } from "../../shared/resolve-id.ts";
import { createLogWriter } from "../../view/log-writer.ts";
import { listenForInterrupts } from "../../wait/interrupts.ts";

const PAGE = 1000;
const MAX_LOSSES_IN_A_ROW = 5;

export const logsCommand = defineCommand({
  brief: "Read what happened in a run, line by line",
  args: [argument("RUN", "The run, or an attempt for its latest run")],
  flags: {
    follow: switchFlag("Go on until the run has ended; with --json one object a line"),
    tail: parsedFlag(parseTail, "Only the last N lines of what is there now", "N"),
  },
  aliases: { f: "follow" },
  async *act(scope, { follow, tail }, id) {
    const { run } = yield* await resolveRun(scope.engine, id);
    const after = tail === undefined ? 0 : yield* await tailStart(scope.engine, run.id, tail);
    const log = { run: run.id, after };
    if (follow) return followLog(scope, log);
    return scope.json ? wholeLog(scope, log) : printLog(scope, log);
  },
});

/** The part to read: the lines of a run after a number. */
interface Log {
  readonly run: string;
  readonly after: number;
}

/** The number before the last `tail` of the present lines. */
async function tailStart(engine: Engine, run: string, tail: number): Promise<Result<number, CliError>> {
  const page = await engine.ask((client) => client.log(run, { after: 0, limit: 1, tail }));
  return page.map(({ lines, next }) => next - lines.length);
}

async function wholeLog({ engine, terminal }: Scope, log: Log): Promise<Outcome> {
  const lines: LogLine[] = [];
  const last = await eachPage(engine, log, (page) => void lines.push(...page));
  return last.map(({ next, sent }) => {
    terminal.stderr.write(sentText(sent));
    return { document: { lines, next, sent } };
  });
}

async function printLog({ engine, terminal }: Scope, log: Log): Promise<Outcome> {
  const writer = createLogWriter(terminal.stdout);
  const last = await eachPage(engine, log, (page) => {
    for (const line of page) writer.line(line);
  });
  writer.end();
  return last.map(({ sent }) => {
    terminal.stderr.write(sentText(sent));
    return {};
  });
}

/** Reads all present lines, page by page; answers the last page. */
async function eachPage(
  engine: Engine,
  { run, after: start }: Log,
  take: (lines: readonly LogLine[]) => void,
): Promise<Result<LogPage, CliError>> {
  let after = start;
  for (;;) {
    const from = after;
    const page = await engine.ask((client) => client.log(run, { after: from, limit: PAGE }));
    if (page.isErr()) return err(page.error);
    take(page.value.lines);
    after = page.value.next;
    if (page.value.lines.length === 0 || page.value.ended) return ok(page.value);
  }
}

/** Goes on after an engine ends and another starts. Ctrl-C ends only the reading. */
async function followLog({ engine, terminal, json }: Scope, { run, after: start }: Log): Promise<Outcome> {
  const writer = createLogWriter(terminal.stdout);
  const interrupts = listenForInterrupts(terminal);
  const stop = new AbortController();
  interrupts.first.then(() => stop.abort());
  let after = start;
  try {
    for (let losses = 0; losses <= MAX_LOSSES_IN_A_ROW; losses += 1) {
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
        onSent: (sent) => {
          terminal.stderr.write(sentText(sent));
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

/** Empty if nothing is missing, or if the rest comes. */
function sentText(sent: SentLog | null): string {
  if (sent === null || sent.complete || sent.there) return "";
  const { worker, until } = sent;
  if (until === null) return `${worker.name} is not there, and sent nothing of this log.\n`;
  const time = `${until.slice(0, 10)} ${until.slice(11, 19)} UTC`;
  return `${worker.name} is not there. This is what it had sent by ${time}; what came after is on its machine.\n`;
}

function parseTail(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error("a number of lines is needed");
  return Number(text);
}

const LOG_LOST: CliError = failed({
  code: "engine_lost",
  message: "The engine went away again and again.",
  remedy: "The run goes on without it; run the command again, `server.log` in the data folder says more.",
});
