/** Decides whether an answer may be taken, and what it means for the options of its question. */
import { err, ok, type Result } from "neverthrow";
import type { Answer, Asked, Question, QuestionOption } from "./question.ts";

/** An answer as a person gives it. */
export interface GivenAnswer {
  readonly kind: Answer["kind"];
  /** For `text` alone. */
  readonly text: string | null;
  /** The hash of the question that the person saw. */
  readonly expect: string;
  /** With `allow`: what is allowed from now on, all of it or its first words. Null: only this. */
  readonly always: string | null;
}

export type AnswerRefusal = "no_question" | "question_changed" | "already_answered" | "answer_unfit";

/** The question of a run that a person is shown: the oldest one that is open. Null if there is none. */
export function questionToAnswer(questions: readonly Question[]): Question | null {
  return questions.find(({ closed }) => closed === null) ?? null;
}

/** `questions` are all of one run, the oldest first. */
export function takeAnswer(
  questions: readonly Question[],
  given: GivenAnswer,
): Result<
  { readonly question: Question; readonly answer: Pick<Answer, "kind" | "text" | "option"> },
  AnswerRefusal
> {
  const seen = questions.find(({ hash }) => hash === given.expect);
  if (seen?.closed === "answered") return err("already_answered");
  const question = questionToAnswer(questions);
  if (question === null) return err(seen === undefined ? "no_question" : "question_changed");
  if (question !== seen) return err("question_changed");
  const answer = fit(question, given);
  return answer === null ? err("answer_unfit") : ok({ question, answer });
}

/** Null if the question cannot be answered like that. */
function fit(
  { options, source }: Asked,
  { kind, text }: GivenAnswer,
): Pick<Answer, "kind" | "text" | "option"> | null {
  if (kind === "text") return fitText({ options }, text ?? "");
  const option = optionOf(options, kind === "allow" ? ALLOW : REJECT);
  // A permission can always be denied: if there is no option for it, the request is taken back.
  if (option === null && !(kind === "deny" && source === "permission")) return null;
  return { kind, text: null, option: option?.id ?? null };
}

/** A text that names an option chooses it. */
function fitText(
  { options }: Pick<Asked, "options">,
  text: string,
): Pick<Answer, "kind" | "text" | "option"> | null {
  const words = text.trim();
  if (words === "") return null;
  const named = options.find(
    ({ id, name, kind }) => kind !== "words" && (id === words || name.toLowerCase() === words.toLowerCase()),
  );
  if (named !== undefined) return { kind: meaningOf(named), text: words, option: named.id };
  const takesWords = options.some(({ kind }) => kind === "words");
  return takesWords ? { kind: "text", text: words, option: null } : null;
}

const ALLOW: readonly QuestionOption["kind"][] = ["allow_once", "allow_always"];
const REJECT: readonly QuestionOption["kind"][] = ["reject_once", "reject_always"];

function meaningOf({ kind }: QuestionOption): Answer["kind"] {
  if (ALLOW.includes(kind)) return "allow";
  return REJECT.includes(kind) ? "deny" : "text";
}

/** The option of the first of these kinds that is offered: "once" comes before "always". */
function optionOf(
  options: readonly QuestionOption[],
  kinds: readonly QuestionOption["kind"][],
): QuestionOption | null {
  return kinds.map((wanted) => options.find(({ kind }) => kind === wanted)).find((found) => found) ?? null;
}

/**
 * The earlier question of the run whose answer holds for this one too. A person allowed exactly this after the process
 * had been stopped, and it has not been used yet.
 */
export function allowedBefore(asked: Asked, questions: readonly Question[]): Question | null {
  const used = new Set(questions.map(({ repeats }) => repeats));
  return (
    questions.find(
      (earlier) =>
        earlier.answer?.kind === "allow" &&
        earlier.parkedAt !== null &&
        !used.has(earlier.id) &&
        sameRequest(earlier, asked),
    ) ?? null
  );
}

function sameRequest(one: Asked, other: Asked): boolean {
  const told = ({ source, words, command, folder, touches }: Asked) =>
    JSON.stringify([source, words, command, folder, touches]);
  return told(one) === told(other);
}

/** The answer of an earlier question, for this one: the agent may give its options other ids. */
export function repeatedAnswer(asked: Asked, answer: Answer): Answer {
  return { ...answer, option: optionOf(asked.options, ALLOW)?.id ?? null };
}

/** What a rule answers, by the option that allows once. Null if the agent offers none: "always" would allow it more. */
export function ruleAnswer(asked: Asked, rule: string, at: string): Answer | null {
  const option = optionOf(asked.options, ["allow_once"]);
  return option === null ? null : { kind: "allow", text: null, option: option.id, by: null, at, rule };
}

/** What the hash of a question is made of: its id, and all that a person sees. */
export function seenText({ id, ...asked }: Asked & Pick<Question, "id">): string {
  const { source, words, command, folder, touches, rule, options } = asked;
  return JSON.stringify([id, source, words, command, folder, touches, rule, options]);
}
