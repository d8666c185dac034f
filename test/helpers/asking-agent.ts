/** An agent over ACP that asks for permissions, one after another or all at once, and notes what it was answered. */
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { RunDocument } from "../../src/contract/task-document.ts";
import { ask, type TaskEnd } from "./journey.ts";
import { BIN } from "./mcp.ts";
import type { Product, RunOptions } from "./product.ts";
import { waitFor } from "./wait-for.ts";

/**
 * Each line of the prompt that begins with `ask ` is a command that it asks for; `ask2 ` does not wait for its answer.
 * `forget ` asks, and ends the tool before there is an answer. What was allowed, it writes into `ran.txt`.
 */
const PROGRAM = `
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
const [heard] = process.argv.slice(2);
const note = (line) => appendFileSync(heard, line + "\\n");
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const update = (update) => say({ method: "session/update", params: { sessionId: "s1", update } });
const waiting = new Map();
let next = 100;
const request = (command) => {
  const id = next++;
  const toolCall = { toolCallId: "tool " + command, title: command, kind: "execute", rawInput: { command } };
  const options = [
    { optionId: "yes", name: "Allow", kind: "allow_once" },
    { optionId: "no", name: "Reject", kind: "reject_once" },
  ];
  const answer = new Promise((resolve) => waiting.set(id, resolve));
  say({ id, method: "session/request_permission", params: { sessionId: "s1", toolCall, options } });
  return answer.then((outcome) => {
    note(command + ": " + (outcome.optionId ?? outcome.outcome));
    if (outcome.optionId === "yes") appendFileSync("ran.txt", command + "\\n");
  });
};
const wanted = { commands: [] };
async function work(text) {
  note("prompt " + JSON.stringify(text));
  const own = text.split("\\n").filter((line) => /^(ask|ask2|forget) /.test(line));
  if (own.length > 0) wanted.commands = own;
  const open = [];
  for (const line of wanted.commands) {
    const [how, ...words] = line.split(" ");
    const answer = request(words.join(" "));
    if (how === "ask") await answer;
    else open.push(answer);
    if (how === "forget")
      update({ sessionUpdate: "tool_call_update", toolCallId: "tool " + words.join(" "), status: "failed" });
  }
  await Promise.all(open);
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Done." } });
  return { stopReason: "end_turn" };
}
const answers = {
  initialize: async () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true } }),
  "session/new": async () => ({ sessionId: "s1" }),
  "session/load": async () => ({}),
  "session/prompt": ({ prompt }) => work(prompt[0].text),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params, result } = JSON.parse(line);
  if (method === undefined) waiting.get(id)?.(result.outcome);
  else answers[method](params).then((result) => say({ id, result }));
}
`;

export interface AskingAgent {
  /** Its words for each answer, in the order in which it got them. */
  answers(): Promise<readonly string[]>;
  prompts(): Promise<readonly string[]>;
  /** Starts a run in the background and waits until it asks. */
  begin(instruction: string): Promise<Asking>;
}

export interface Asking extends TaskEnd {
  readonly question: NonNullable<RunDocument["question"]>;
}

/** Configures it under the name `agent`. */
export async function askingAgent(
  product: Product,
  profile: Readonly<Record<string, unknown>> = {},
): Promise<AskingAgent> {
  const folder = dirname(product.home);
  const [program, heard] = [join(folder, "asking.mjs"), join(folder, "heard")];
  await writeFile(program, PROGRAM);
  const command = [process.execPath, program, heard];
  await product.configure({ agents: { agent: { executor: "acp", command, ...profile } } });
  const lines = async () => (await readFile(heard, "utf8").catch(() => "")).split("\n").filter(Boolean);
  return {
    answers: async () => (await lines()).filter((line) => !line.startsWith("prompt ")),
    prompts: async () =>
      (await lines()).filter((line) => line.startsWith("prompt ")).map((line) => JSON.parse(line.slice(7))),
    begin: async (instruction) => {
      const { run } = await ask(product, ["run", instruction, "--agent", "agent", "--detach"]);
      return asks(product, run.id);
    },
  };
}

const TOOL_USER = join(import.meta.dir, "../fixtures/programs/ask-person.mjs");

/** Starts an agent, in the background, that asks `given` by the tool `ask_person` of its attempt. */
export async function beginAsking(
  product: Product,
  given: Readonly<Record<string, unknown>>,
  profile: Readonly<Record<string, unknown>> = {},
): Promise<TaskEnd> {
  const command = [process.execPath, TOOL_USER, BIN, JSON.stringify(given)];
  await product.configure({ agents: { asker: { executor: "command", command, ...profile } } });
  return ask(product, ["run", "paint it", "--agent", "asker", "--detach"]);
}

/** What the tool answered that agent, in the worktree of its attempt. */
export async function answeredByTool({ attempt }: TaskEnd): Promise<unknown> {
  return JSON.parse(await readFile(join(attempt.worktree, "answer.json"), "utf8"));
}

/** Waits until the run asks something, other than `before`. */
export function asks(
  product: Product,
  run: string,
  before: string | null = null,
  how: RunOptions = {},
): Promise<Asking> {
  return waitFor(
    `the run ${run} to ask`,
    async () => {
      const now = await show(product, run, how);
      const { question } = now.run;
      return question === null || question.id === before ? null : { ...now, question };
    },
    { withinMs: 120_000 },
  );
}

/** The task of a run, with that run alone. */
export async function show(product: Product, run: string, how: RunOptions = {}): Promise<TaskEnd> {
  const { task } = (await product.tazuna(["show", run, "--json"], how)).json<{ readonly task: string }>();
  const end = await ask(product, ["show", task], how);
  const attempt = end.attempts.find(({ runs }) => runs.some(({ id }) => id === run)) ?? end.attempt;
  return { ...end, attempt, run: attempt.runs.find(({ id }) => id === run) ?? end.run };
}
