/** Runs the demo agent: `tazuna __demo`. */
import { askByMailbox } from "../../effect/mailbox/ask-by-mailbox.ts";
import { MAILBOX_VARIABLE } from "../../effect/mailbox/letters.ts";
import { type DemoQuestion, runDemoAgent } from "../../executors/demo/agent.ts";

export function runDemoEntry(argv: readonly string[]): Promise<number> {
  const mailbox = process.env[MAILBOX_VARIABLE];
  return runDemoAgent({
    argv,
    env: process.env,
    worktree: process.cwd(),
    write: (line) => {
      process.stdout.write(`${line}\n`);
    },
    ask: mailbox ? (question) => askPerson(mailbox, question) : undefined,
  });
}

async function askPerson(mailbox: string, { question, options }: DemoQuestion): Promise<string | null> {
  const offered = options.map((label) => ({ label, description: null }));
  const answer = await askByMailbox(
    mailbox,
    { question, options: offered, allowText: true },
    { signal: undefined },
  );
  if (answer.kind === "option") return answer.label;
  return answer.kind === "text" ? answer.text : null;
}
