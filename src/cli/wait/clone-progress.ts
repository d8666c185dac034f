/** Shows how far the clones of an address are, as long as something waits for them. */
import { err, type Result } from "neverthrow";
import type { StreamEnd } from "../../contract/client/follow-stream.ts";
import { pause } from "../../contract/client/pause.ts";
import type { FactDocument } from "../../contract/endpoints/operations.ts";
import { cleanLine } from "../../contract/text.ts";
import type { CliError } from "../shared/cli-options.ts";
import type { Scope } from "../shared/command.ts";
import type { Terminal } from "../shared/terminal.ts";

interface Clones {
  readonly isMeant: (url: string) => boolean;
  /** What is said after each minute without progress, given how many there were. Without it nothing is said. */
  readonly silence?: (minutes: number) => string;
}

/** On whichever machine they are made. `act` may say something meanwhile. */
export async function whileCloning<Done>(
  { engine, terminal }: Pick<Scope, "engine" | "terminal">,
  clones: Clones,
  act: (say: (line: string) => void) => Promise<Result<Done, CliError>>,
): Promise<Result<Done, CliError>> {
  const connected = await engine.client();
  if (connected.isErr()) return err(connected.error);
  const over = new AbortController();
  const progress = showProgress(terminal, clones);
  const following = follow(engine, { signal: over.signal, onFact: progress.fact });
  try {
    return await act(progress.say);
  } finally {
    over.abort();
    await following.catch(() => null);
    progress.end();
  }
}

const AGAIN_MS = 500;

/** Goes on after an engine ends and another starts, as the call that is waited for does. */
async function follow(
  engine: Scope["engine"],
  { signal, onFact }: { readonly signal: AbortSignal; readonly onFact: (fact: FactDocument) => void },
): Promise<void> {
  let after: number | null = null;
  while (!signal.aborted) {
    const connected = await engine.client();
    if (connected.isErr()) return;
    const end: StreamEnd = await connected.value.followFacts({
      ...{ after, signal, retries: 0 },
      onOpen: (seq) => {
        after = seq;
      },
      onFact: (fact) => {
        after = fact.seq;
        onFact(fact);
      },
    });
    if (end.reason !== "lost" || end.error.kind !== "unreachable") return;
    engine.lost(connected.value);
    await pause(AGAIN_MS, signal);
  }
}

const MINUTE_MS = 60_000;
/** How often it is looked whether something was heard. */
const LOOK_MS = 1_000;

/** On a terminal one line that changes; elsewhere a line for each step. */
function showProgress({ stderr, now, every }: Terminal, { isMeant, silence }: Clones) {
  const { isTerminal } = stderr;
  let last = "";
  let heard = now();
  let told = 0;
  const clear = () => {
    if (isTerminal && last !== "") stderr.write("\r\u001b[K");
  };
  const say = (line: string) => {
    clear();
    stderr.write(`${line}\n`);
    if (isTerminal) last = "";
  };
  const stop = every(LOOK_MS, () => {
    const minutes = Math.floor((now() - heard) / MINUTE_MS);
    if (silence === undefined || minutes <= told) return;
    told = minutes;
    say(silence(minutes));
  });
  return {
    say,
    fact: ({ kind, data }: FactDocument) => {
      const url = String(data.url);
      if (kind !== "clone.progress" || !isMeant(url)) return;
      heard = now();
      told = 0;
      const step = cleanLine(String(data.step));
      const line = `Cloning ${cleanLine(url)}: ${step}${isTerminal ? ` ${Number(data.percent)}%` : ""}`;
      if (line === last) return;
      last = line;
      stderr.write(isTerminal ? `\r\u001b[K${line.slice(0, stderr.size().columns - 1)}` : `${line}\n`);
    },
    end: () => {
      stop();
      clear();
    },
  };
}
