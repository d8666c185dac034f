/** Defines what `ask_person` takes, answers and refuses; the description for models is derived from it. */
import { z } from "zod";
import { contractOf } from "../../core/definition.ts";
import { filledText, text } from "../../core/text.ts";

/** UTF-16 units, and a number of options that a person can take in. */
const MAX = { question: 4_000, label: 200, description: 1_000, options: 10 } as const;

const option = z.union(
  [
    filledText({ max: MAX.label }),
    z.strictObject({
      label: filledText({ max: MAX.label }),
      description: text({ max: MAX.description }).optional(),
    }),
  ],
  "must be a text or { label, description? }",
);

export function labelOf(given: z.output<typeof option>): string {
  return typeof given === "string" ? given : given.label;
}

const optionList = z
  .array(option)
  .refine((given) => given.length <= MAX.options, `must not have more than ${MAX.options} options`)
  .refine((given) => new Set(given.map(labelOf)).size === given.length, "must not have a label twice");

const askPersonInput = z
  .strictObject({
    question: filledText({ max: MAX.question }).describe(
      "What you want to know, with all that is needed to answer it.",
    ),
    options: optionList
      .default([])
      .describe("Answers to choose from, at most 10. Each is a text, or { label, description }."),
    allow_text: z
      .boolean()
      .default(true)
      .describe("Whether the person may also answer in own words (default: true)."),
  })
  .refine(({ options, allow_text }) => allow_text || options.length > 0, {
    path: ["options"],
    error: "must not be empty if `allow_text` is false",
  });

const askPersonOutput = z.strictObject({
  answer: z.string().describe("The person's words, or the label of the option that was chosen."),
  option: z.string().nullable().describe("The label of the option that was chosen; null for own words."),
});

export type AskPersonInput = z.input<typeof askPersonInput>;
export type AskPersonOutput = z.output<typeof askPersonOutput>;

export const ASK_PERSON_CONTRACT = contractOf({
  name: "ask_person",
  description:
    "Asks the person who gave you this work a question, and waits for the answer. Ask only what you cannot find out or decide yourself.",
  input: askPersonInput,
  output: askPersonOutput,
  /** The meaning of each of its own codes. */
  codes: {
    INVALID_ARGUMENT: "An argument is wrong, or no option is given although own words are not allowed.",
    NO_PERSON: "No person can be asked here.",
    DECLINED: "The person will not answer; `details.words` holds what they said instead, if they did.",
    WITHDRAWN: "The question is not open any more, and nobody answered it.",
    CANCELED: "The caller stopped the call; the question was taken back.",
    INTERNAL: "Anything unexpected.",
  },
});
