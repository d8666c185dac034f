/** Runs the demo agent, a script with no model behind it: it rewrites a greeting, or comments on such a change. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";

interface DemoOptions {
  /** The words after the verb. */
  readonly argv: readonly string[];
  /** `TAZUNA_DEMO_PAUSE_MS` (0 to 2,000) replaces the pause between two events. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute; the working directory. */
  readonly worktree: string;
  /** Takes one line of the event stream, without its line end. */
  readonly write: (line: string) => void;
  /** Asks a person, and resolves to the words of the answer, or null for none; absent if no person can be asked. */
  readonly ask?: ((question: DemoQuestion) => Promise<string | null>) | undefined;
}

export interface DemoQuestion {
  readonly question: string;
  readonly options: readonly string[];
}

const PAUSE_MS = 200;

/** Works, and returns the exit code. */
export async function runDemoAgent(options: DemoOptions): Promise<number> {
  const { values } = parseArgs({
    args: [...options.argv],
    options: {
      attempt: { type: "string", default: "" },
      session: { type: "string", default: "" },
      "instruction-file": { type: "string" },
      "prompt-file": { type: "string" },
      style: { type: "string" },
      review: { type: "boolean", default: false },
      resumed: { type: "boolean", default: false },
    },
  });
  const instruction = await readOr(values["instruction-file"] ?? "", "");
  const tell = teller(options);
  await tell({ type: "session", id: values.session });
  if (values.review) {
    await tell({
      type: "done",
      summary: `${REVIEW}\n\n\`\`\`json\n${JSON.stringify(REVIEW_COMMENTS)}\n\`\`\``,
    });
    return 0;
  }
  const style =
    values.style === ASKING
      ? await askedStyle(
          values.resumed ? undefined : options.ask,
          await readOr(values["prompt-file"] ?? "", ""),
        )
      : styleOf(values.style, values.attempt);
  await tell({ type: "say", text: `I will greet people by name, the ${style} way.` });
  const edits = [
    await plannedEdit(join(options.worktree, "src", "greet.js"), (before) => greeting(before, style)),
    await plannedEdit(join(options.worktree, "README.md"), (before) => readme(before, instruction, style)),
  ];
  for (const [index, edit] of edits.entries()) {
    if (edit === null) continue;
    const id = `edit-${index + 1}`;
    await tell({ type: "edit", id, path: edit.path });
    await writeFile(edit.path, edit.after);
    await tell({ type: "edited", id });
  }
  await tell({ type: "done", summary: SUMMARIES[style] });
  return 0;
}

type Style = "plain" | "friendly" | "formal";

const GREETINGS: Readonly<Record<Style, string>> = {
  plain: 'function greet(name) {\n  return name ? "Hello, " + name : "Hello";\n}',
  formal: 'function greet(name) {\n  return name ? "Good day, " + name + "." : "Good day.";\n}',
  friendly: 'function greet(name = "friend") {\n  return "Hello, " + name + "! Good to see you.";\n}',
};

const SUMMARIES: Readonly<Record<Style, string>> = {
  plain: "Greet people by name, and say just Hello if there is none.",
  formal: "Greet people by name, formally.",
  friendly: "Greet people by name with a friendly sentence, and call a stranger friend.",
};

const REVIEW = "It greets people by name, and the README says so. No test shows it.";
const REVIEW_COMMENTS = [
  {
    path: "src/greet.js",
    line: 1,
    side: "new",
    severity: "medium",
    body: "Add a test that greets without a name.",
  },
  { path: "README.md", line: null, side: "new", severity: "low", body: "Show a call as an example." },
];

/** The model that asks a person which greeting to write. */
const ASKING = "asking";

const QUESTION: DemoQuestion = {
  question: "Formal or casual greeting?",
  options: ["Formal", "Casual"],
};

/**
 * By the person's answer, which the prompt tells if it came after a pause. It asks once in an attempt, and decides by
 * itself if there is no answer.
 */
async function askedStyle(ask: DemoOptions["ask"], prompt: string): Promise<Style> {
  const told = prompt.split(QUESTION.question).at(1);
  const answer = told ?? (await ask?.(QUESTION)) ?? "";
  return /\bformal/i.test(answer) && !/\bcasual/i.test(answer) ? "formal" : "friendly";
}

/** As asked, else by the attempt's id: the same for every run of an attempt, and often another for the next attempt. */
function styleOf(asked: string | undefined, attempt: string): Style {
  if (asked === "plain" || asked === "friendly" || asked === "formal") return asked;
  const sum = [...attempt].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  return sum % 2 === 0 ? "plain" : "friendly";
}

/** Only the function changes, not the text around it; null if there is none. */
function greeting(before: string | null, style: Style): string | null {
  const replaced = before?.replace(/function greet\([^)]*\) \{[\s\S]*?\n\}/, () => GREETINGS[style]);
  return replaced === undefined || replaced === before ? null : replaced;
}

function readme(before: string | null, instruction: string, style: Style): string {
  const [first = ""] = instruction.trim().split("\n");
  const line = `- ${first.slice(0, 100) || "Greet people by name"} (${style})`;
  const start = before === null || before === "" || before.endsWith("\n") ? (before ?? "") : `${before}\n`;
  return `${start}${line}\n`;
}

/** What to write to a file; null if it stays as it is. */
async function plannedEdit(
  path: string,
  change: (before: string | null) => string | null,
): Promise<{ readonly path: string; readonly after: string } | null> {
  const after = change(await readOr(path, null));
  return after === null ? null : { path, after };
}

async function readOr<T>(path: string, otherwise: T): Promise<string | T> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return otherwise;
  }
}

/** Writes an event, then pauses as an agent would. */
function teller(options: DemoOptions): (event: Readonly<Record<string, string>>) => Promise<void> {
  const asked = Number(options.env.TAZUNA_DEMO_PAUSE_MS ?? PAUSE_MS);
  const pause = Number.isFinite(asked) ? Math.min(Math.max(asked, 0), 2_000) : PAUSE_MS;
  return async (event) => {
    options.write(JSON.stringify(event));
    await new Promise((resolve) => setTimeout(resolve, pause));
  };
}
