/** Describes a question of an agent to a person: what it wants to know or to do, and what became of it. */
import { z } from "zod";
import { type Entity, time } from "../entity.ts";

/** What choosing an option means. `choice` neither allows nor denies; `words` takes a text in place of the option. */
const OPTION_KINDS = [
  "allow_once",
  "allow_always",
  "reject_once",
  "reject_always",
  "choice",
  "words",
] as const;

const optionSchema = z.object({
  /** The agent's own id of it. */
  id: z.string(),
  name: z.string(),
  kind: z.enum(OPTION_KINDS),
});
export type QuestionOption = Entity<typeof optionSchema>;

const answerSchema = z.object({
  kind: z.enum(["allow", "deny", "text"]),
  /** A person's words; null if there are none. */
  text: z.string().nullable(),
  /** The id of the option that the answer chooses; null if none fits. */
  option: z.string().nullable(),
  /** `Name <address>` of git's settings; null if git has none. */
  by: z.string().nullable(),
  at: time,
  /** The id of the rule that answered in the place of a person. */
  rule: z.string().exactOptional(),
});
export type Answer = Entity<typeof answerSchema>;

/** What a person sees. */
const askedSchema = z.object({
  /** `permission`: the agent waits before it does something. `person`: it wants to know something (`ask_person`). */
  source: z.enum(["permission", "person"]),
  /** What is asked, in full. */
  words: z.string(),
  /** The exact command; null if it is about none. */
  command: z.string().nullable(),
  /** The folder in which the command would run; null if it is about none. */
  folder: z.string().nullable(),
  /** The paths and hosts that it is about. */
  touches: z.array(z.string()),
  /** One sentence: which rule asks. */
  rule: z.string(),
  options: z.array(optionSchema),
});
export type Asked = Entity<typeof askedSchema>;

export const questionSchema = askedSchema.extend({
  id: z.string(),
  runId: z.string(),
  attemptId: z.string(),
  /** Which start of the run's agent asked, counted from 1. */
  start: z.number().int(),
  /** The agent's own id of the request; no two of one start are the same. */
  key: z.string(),
  /** SHA-256 of what a person sees; an answer names it. */
  hash: z.string(),
  askedAt: time,
  answer: answerSchema.nullable(),
  /** `withdrawn`: the agent went on or ended without an answer. Null while it is open. */
  closed: z.enum(["answered", "withdrawn"]).nullable(),
  closedAt: time.nullable(),
  /** When its process was stopped because no answer came. Null as long as the process waits. */
  parkedAt: time.nullable(),
  /** When the agent got the answer. */
  deliveredAt: time.nullable(),
  /** The earlier question of the run whose answer holds for this one too. */
  repeats: z.string().nullable(),
});
export type Question = Entity<typeof questionSchema>;
