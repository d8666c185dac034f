/** Lists the words of questions, for the parts that come only when a person needs them. */
import { questionWords } from "./question-words.ts";

export const QUESTION_CATALOGS = {
  questions: questionWords,
} as const;
