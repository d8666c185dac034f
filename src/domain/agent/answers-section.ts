/** Tells an agent what a person answered while its process was stopped. */
import type { Answer, Asked } from "../question/question.ts";

export interface AnsweredQuestion extends Pick<Asked, "source" | "words" | "command" | "options"> {
  readonly answer: Answer | null;
}

/** Null if nothing was answered. */
export function answersSection(answered: readonly AnsweredQuestion[]): string | null {
  if (answered.length === 0) return null;
  const told = answered.map((question) => `You asked: ${question.words}\n${answerWords(question)}`);
  return ["While you waited for a person you were stopped. These are the answers:", ...told].join("\n\n");
}

function answerWords({ source, command, options, answer }: AnsweredQuestion): string {
  if (answer === null) return "There was no answer: this is not allowed.";
  const words = answer.text === null ? "" : ` The person says: ${answer.text}`;
  if (source === "person") {
    const option = options.find(({ id }) => id === answer.option)?.name;
    return `The answer: ${option ?? answer.text ?? answer.kind}`;
  }
  const what = command === null ? "exactly this" : `exactly this command: ${command}`;
  return answer.kind === "allow"
    ? `A person allowed ${what}. Do it again now, in the same words.${words}`
    : `A person did not allow it. Do not do it.${words}`;
}
