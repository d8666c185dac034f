/** Describes the files through which `ask_person` of an agent and the engine exchange a question and its answer. */
import { z } from "zod";

/**
 * Folders below the mailbox of a run. The agent's side writes `asked`, and can read `answered`. In a sandbox it cannot
 * write there.
 */
export const MAILBOX = { asked: "asked", answered: "answered" } as const;

/** The variable that names the mailbox to the agent's MCP server. Absent if no person may be asked. */
export const MAILBOX_VARIABLE = "TAZUNA_QUESTIONS";

/** UTF-16 units. They leave room beyond what the tool accepts, so that its own words of a refusal win. */
const MAX = { question: 8_000, label: 400, description: 2_000, options: 20 } as const;

/** In bytes; a longer file is no question. */
export const MAX_LETTER_BYTES = 256 * 1024;

/**
 * How long a question stays open although its asker shows no sign of life, and how often it shows one. A machine with
 * many agents may stop one for seconds.
 */
export const SILENCE_MS = 60_000;
export const SIGN_OF_LIFE_MS = 5_000;

const ID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const ASKED_NAME = new RegExp(`^ask-(${ID})\\.json$`);

export const askedName = (id: string) => `ask-${id}.json`;
export const answeredName = (id: string) => `answer-${id}.json`;

/** The id in a file's name; null for every other name, such as one with a way to another folder. */
export function idInName(name: string): string | null {
  return ASKED_NAME.exec(name)?.[1] ?? null;
}

const question = z.strictObject({
  question: z.string().min(1).max(MAX.question),
  options: z
    .array(
      z.strictObject({
        label: z.string().min(1).max(MAX.label),
        description: z.string().max(MAX.description).nullable(),
      }),
    )
    .max(MAX.options)
    .readonly(),
  allowText: z.boolean(),
});
export type MailboxQuestion = Readonly<z.infer<typeof question>>;

const answer = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("option"), label: z.string() }),
  z.strictObject({ kind: z.literal("text"), text: z.string() }),
  z.strictObject({ kind: z.literal("declined"), words: z.string().nullable() }),
  z.strictObject({ kind: z.literal("withdrawn"), reason: z.string() }),
]);
export type MailboxAnswer = Readonly<z.infer<typeof answer>>;

/** Null if the text is no question. An agent can write anything there. */
export const parseQuestion = (text: string): MailboxQuestion | null => parsed(question, text);
export const parseAnswer = (text: string): MailboxAnswer | null => parsed(answer, text);

function parsed<Value>(schema: z.ZodType<Value>, text: string): Value | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
