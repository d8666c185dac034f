/** Turns what an agent leaves in its run's mailbox into questions, and a person's answers into letters. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent } from "../../../domain/agent/events.ts";
import { createRedactor } from "../../../domain/agent/redact.ts";
import { mayAskPerson } from "../../../domain/question/approvals.ts";
import type { Answer, Asked } from "../../../domain/question/question.ts";
import {
  MAILBOX,
  MAILBOX_VARIABLE,
  type MailboxAnswer,
  type MailboxQuestion,
  SILENCE_MS,
} from "../../../effect/mailbox/letters.ts";
import { openMailbox } from "../../../effect/mailbox/mailbox.ts";
import { removeTree } from "../../../utils/files/remove-tree.ts";
import type { ResolvedAgent } from "../../agents/resolve-agent.ts";
import type { Uses } from "../../core/context-parts.ts";
import type { RunWorld } from "../../run-core/step.ts";

type OfRun = Pick<RunWorld, "run">;
type OfAgent = Pick<ResolvedAgent, "profile">;

/** Absolute. */
function mailboxFolder({ paths }: Uses<"paths">, { run }: OfRun): string {
  return join(paths.run(run.id), "questions");
}

/** Whether the agent of this start may ask. */
export function asksPerson({ run }: OfRun, { profile }: OfAgent): boolean {
  return mayAskPerson({ configured: profile.approvals, reviews: run.kind === "review" });
}

/** Names the mailbox to the agent's programs; nothing if it may not ask. */
export function mailboxVariables(
  context: Uses<"paths">,
  world: OfRun,
  agent: OfAgent,
): Readonly<Record<string, string>> {
  return asksPerson(world, agent) ? { [MAILBOX_VARIABLE]: mailboxFolder(context, world) } : {};
}

/** Makes an empty mailbox for a new start, and names its places for the sandbox. Answers cannot be forged there. */
export async function makeMailbox(
  context: Uses<"paths">,
  world: OfRun,
  agent: OfAgent,
): Promise<{ readonly writable: readonly string[]; readonly readOnly: readonly string[] }> {
  const folder = mailboxFolder(context, world);
  await removeTree(folder);
  if (!asksPerson(world, agent)) return { writable: [], readOnly: [] };
  const places = { asked: join(folder, MAILBOX.asked), answered: join(folder, MAILBOX.answered) };
  for (const place of Object.values(places)) mkdirSync(place, { recursive: true, mode: 0o700 });
  return { writable: [places.asked], readOnly: [places.answered] };
}

export interface RunMailbox {
  /** Absolute; an existing folder that changes if the agent asks. */
  readonly folder: string;
  /** Whether a question with that key came by this mailbox. */
  knows(key: string): boolean;
  /** What is new since the last look: questions, and questions that the agent took back. */
  look(): Promise<readonly QuestionEvent[]>;
  /** Puts the answer to a stored question, or to one of `look`'s, into the mailbox. May be repeated. */
  answer(key: string, answer: Answer): Promise<void>;
}

type QuestionEvent = Extract<AgentEvent, { kind: "question" | "question_withdrawn" }>;

interface MailboxOptions {
  /** Questions of this start that are stored already, open or closed. */
  readonly stored: readonly StoredQuestion[];
  /** What must not be stored. */
  readonly secrets: readonly string[];
}

interface StoredQuestion extends Pick<Asked, "options"> {
  readonly key: string;
  readonly closed: string | null;
}

/** Of one start of an agent. More would bury the person. */
const MAX = { open: 8, asked: 100 } as const;

const KEY = "ask_person ";

/** For a start whose agent may ask. */
export function openRunMailbox(
  context: Uses<"paths">,
  world: OfRun,
  { stored, secrets }: MailboxOptions,
): RunMailbox {
  const mailbox = openMailbox(mailboxFolder(context, world));
  const redactor = createRedactor({ values: secrets });
  const { known, options, open } = before(stored);

  const withdraw = async (id: string, reason: string): Promise<QuestionEvent> => {
    open.delete(id);
    await mailbox.answer(id, { kind: "withdrawn", reason });
    return { kind: "question_withdrawn", key: `${KEY}${id}` };
  };
  const takenBack = async (): Promise<readonly QuestionEvent[]> => {
    const events: QuestionEvent[] = [];
    for (const [id, life] of open) {
      const sign = mailbox.lastSign(id);
      if (sign === null) {
        open.delete(id);
        events.push({ kind: "question_withdrawn", key: `${KEY}${id}` });
      } else if (isSilent(life, sign)) events.push(await withdraw(id, "Its asker showed no sign of life."));
    }
    return events;
  };
  const newQuestions = async (): Promise<readonly QuestionEvent[]> => {
    if (known.size >= 2 * MAX.asked) return [];
    const events: QuestionEvent[] = [];
    for (const { id, question } of mailbox.newLetters({ known, most: MAX.open - open.size })) {
      const isTooMany = known.size >= MAX.asked;
      known.add(id);
      // Answered before a restart of the engine, without having become a question.
      if (mailbox.isAnswered(id)) continue;
      if (question === null || isTooMany) {
        await withdraw(id, isTooMany ? TOO_MANY : NO_QUESTION);
        continue;
      }
      const asked = askedOf(question, redactor.text);
      open.set(id, neverSeen());
      options.set(`${KEY}${id}`, asked.options);
      events.push({ kind: "question", key: `${KEY}${id}`, ...asked });
    }
    return events;
  };

  return {
    folder: mailbox.asked,
    knows: (key) => options.has(key),
    look: async () => [...(await takenBack()), ...(await newQuestions())],
    answer: async (key, answer) => {
      const offered = options.get(key);
      if (offered === undefined) throw new Error(`the mailbox of run ${world.run.id} has no question ${key}`);
      const id = key.slice(KEY.length);
      open.delete(id);
      await mailbox.answer(id, letterOf(answer, offered));
    },
  };
}

/** What this start asked before, by the ids of its files; `options` by the keys of its questions. */
function before(stored: readonly StoredQuestion[]) {
  const ours = stored.filter(({ key }) => key.startsWith(KEY));
  const unanswered = ours.filter(({ closed }) => closed === null);
  return {
    known: new Set(ours.map(({ key }) => key.slice(KEY.length))),
    options: new Map(ours.map((question) => [question.key, question.options])),
    open: new Map(unanswered.map(({ key }) => [key.slice(KEY.length), neverSeen()])),
  };
}

const TOO_MANY = `This turn has asked ${MAX.asked} questions, and no more are passed on.`;
const NO_QUESTION = "What was left is no question that Tazuna can read.";

/** The last sign of life of a question, and when it was first seen by our own clock. */
interface Life {
  sign: number | null;
  seenAt: number;
}

const neverSeen = (): Life => ({ sign: null, seenAt: 0 });

/** The clock of a file may jump, for instance while the machine sleeps. So only whether it changes counts. */
function isSilent(life: Life, sign: number): boolean {
  const now = performance.now();
  if (life.sign !== sign) Object.assign(life, { sign, seenAt: now });
  return now - life.seenAt > SILENCE_MS;
}

/** `clean` takes secrets out of the agent's words. */
function askedOf(question: MailboxQuestion, clean: (text: string) => string): Asked {
  const explained = question.options.flatMap(({ label, description }) =>
    description === null ? [] : [`- ${label}: ${description}`],
  );
  const choices = question.options.map(({ label }, index) => ({
    id: String(index + 1),
    name: clean(label),
    kind: "choice" as const,
  }));
  const own = { id: "words", name: "Own words", kind: "words" as const };
  const decline = { id: "decline", name: "Decline to answer", kind: "reject_once" as const };
  return {
    source: "person",
    words: clean([question.question, ...(explained.length > 0 ? ["", ...explained] : [])].join("\n")),
    command: null,
    folder: null,
    touches: [],
    rule: "The agent asks by its tool `ask_person`.",
    options: [...choices, ...(question.allowText ? [own] : []), decline],
  };
}

function letterOf({ kind, text, option }: Answer, options: Asked["options"]): MailboxAnswer {
  const chosen = options.find(({ id, kind: of }) => id === option && of === "choice");
  if (kind === "deny") return { kind: "declined", words: null };
  if (chosen !== undefined) return { kind: "option", label: chosen.name };
  return { kind: "text", text: text ?? "Yes." };
}
