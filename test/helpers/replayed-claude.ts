/** Plays Claude Code from captured streams: each start within an attempt is the next turn of a script. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Product } from "./product.ts";

const STREAMS = join(import.meta.dir, "../fixtures/agent-streams/claude");

export interface ReplayedTurn {
  /** Shell commands before the stream, in the worktree. */
  readonly before?: string;
  /** A captured stream, such as `success-edit.jsonl`; none is printed without it. */
  readonly stream?: string;
  /** Only so many of its first lines. */
  readonly lines?: number;
  /** Shell commands after the stream. */
  readonly after?: string;
  /** Whether the lines behind `lines` follow after those commands. */
  readonly rest?: boolean;
  readonly code?: number;
}

export interface ReplayedStart {
  readonly argv: readonly string[];
  readonly prompt: string;
  readonly cwd: string;
}

export interface ReplayedClaude {
  /** How the agent was started in this attempt, each time. */
  starts(attempt: string): Promise<readonly ReplayedStart[]>;
}

/** Configures the agent `name` with executor `claude-code`; starts beyond the last turn play that one again. */
export async function replayedClaude(
  product: Product,
  name: string,
  turns: readonly ReplayedTurn[],
): Promise<ReplayedClaude> {
  const dir = join(product.home, "..", "replayed", name);
  await mkdir(dir, { recursive: true });
  for (const [index, turn] of turns.entries())
    await writeFile(join(dir, `turn-${index + 1}.sh`), turnScript(turn));
  await product.agent(name, starter(dir), { executor: "claude-code" });
  return {
    starts: async (attempt) => {
      const mine = join(dir, attempt);
      const names = (await readdir(mine).catch(() => [] as string[])).filter((one) =>
        one.startsWith("start-"),
      );
      names.sort((a, b) => Number(a.slice(6)) - Number(b.slice(6)));
      return Promise.all(names.map((one) => readStart(join(mine, one))));
    },
  };
}

function turnScript({
  before = "",
  stream,
  lines,
  after = "",
  rest = false,
  code = 0,
}: ReplayedTurn): string {
  const file = stream === undefined ? null : join(STREAMS, stream);
  const part = lines === undefined ? "cat" : `head -n ${lines}`;
  const remainder = file !== null && rest ? `tail -n +${(lines ?? 0) + 1} '${file}'` : "";
  return [before, file === null ? "" : `${part} '${file}'`, after, remainder, `exit ${code}`].join("\n");
}

function starter(dir: string): string {
  return `mine='${dir}'/$TAZUNA_ATTEMPT
mkdir -p "$mine"
n=1
until mkdir "$mine/start-$n" 2>/dev/null; do n=$((n + 1)); done
printf '%s\\0' "$@" > "$mine/start-$n/argv"
pwd > "$mine/start-$n/cwd"
case " $* " in
  *" --input-format stream-json "*) IFS= read -r line; printf '%s' "$line" > "$mine/start-$n/prompt" ;;
  *) cat > "$mine/start-$n/prompt" ;;
esac
until [ -e '${dir}'/turn-$n.sh ]; do n=$((n - 1)); done
. '${dir}'/turn-$n.sh`;
}

async function readStart(dir: string): Promise<ReplayedStart> {
  const read = (name: string) => readFile(join(dir, name), "utf8").catch(() => "");
  return {
    argv: (await read("argv")).split("\0").slice(0, -1),
    prompt: promptIn(await read("prompt")),
    cwd: (await read("cwd")).trimEnd(),
  };
}

/** The prompt itself, or the text of the first message if the agent may ask a person. */
function promptIn(given: string): string {
  if (!given.startsWith("{")) return given;
  const { message } = JSON.parse(given) as { message: { content: string | readonly { text: string }[] } };
  return typeof message.content === "string"
    ? message.content
    : message.content.map(({ text }) => text).join("");
}
