/** Describes the endpoints of runs: repeating them, restoring what they left, and reading their log. */
import { z } from "zod";
import { answerRuleSchema } from "../../domain/question/answer-rule.ts";
import { logLineSchema, logPageSchema } from "../../domain/run/log.ts";
import { RUN_STATUSES } from "../../domain/run/state.ts";
import { type Code, NEW_RUN_CODES, REPOSITORY_CODES } from "../codes.ts";
import { documentOf } from "../document-of.ts";
import { runAlone, taskDocument } from "../task-document.ts";
import {
  diffAnswer,
  diffFilesAnswer,
  linesAnswer,
  ownDiffQuery,
  ownLinesQuery,
  ownPictureQuery,
} from "./attempts.ts";
import type { Endpoints } from "./endpoint.ts";
import { listOf, narrowing, nothing, pageQuery, settings, text, wholeNumber } from "./fields.ts";
import { operationAnswer } from "./operations.ts";
import { ROUTES } from "./routes.ts";

const retryRequest = z.strictObject({
  /** `checks` runs them again on what is committed; then that is pushed as the task says. */
  from: z.enum(["start", "push", "checks"]).default("start"),
  /** Begins from the base that is known here, without the remote. */
  offline: z.boolean().default(false),
  settings: settings.default({}),
});

/** At least one of both. */
const queueChange = z
  .strictObject({
    /** What the agent is asked to do; of the person's own edits, the commit message. */
    instruction: text.nullable().default(null),
    /** Its place in the queue of its attempt; other runs make room. */
    position: z.number().int("must be a whole number").min(1, "must be 1 or more").nullable().default(null),
  })
  .refine(
    ({ instruction, position }) => instruction !== null || position !== null,
    "name an instruction or a position",
  );

const answerRequest = z
  .strictObject({
    answer: z.enum(["allow", "deny", "text"]),
    /** With `text` alone. The name or the id of an option chooses it. */
    text: text.max(20_000, "must have at most 20000 characters").nullable().default(null),
    /** The `expect` of the question as it was shown. */
    expect: text,
    /** With `allow` alone: from now on, this is allowed in the repository. The exact command, or its first words. */
    always: text.max(2_000, "must have at most 2000 characters").nullable().default(null),
  })
  .refine(({ answer, always }) => answer === "allow" || always === null, {
    path: ["always"],
    error: 'goes with "answer": "allow"',
  })
  .refine((given) => (given.answer === "text") === (given.text !== null), {
    path: ["text"],
    error: 'goes with "answer": "text", and with that alone',
  });

export const answerRuleFields = answerRuleSchema.shape;
const answerRule = z.object(documentOf(answerRuleFields));
export type AnswerRuleDocument = z.infer<typeof answerRule>;

const logQuery = z.strictObject({
  after: wholeNumber.default(0),
  /** For a page: begin at most this many lines before the present end. */
  tail: wholeNumber.nullable().default(null),
  /** For a page: the last lines before this one. `previous` of a page is the `before` of the one that precedes it. */
  before: wholeNumber.nullable().default(null),
  /** For a page: only lines that contain this text. One answer looks at 20,000 lines; `next` or `previous` goes on. */
  query: z.string().min(1).max(500).nullable().default(null),
  limit: wholeNumber.refine((value) => value >= 1 && value <= 1000, "must be from 1 to 1000").default(200),
});

export type LogLine = z.infer<typeof logLineSchema>;
export type LogPage = z.infer<typeof logPageSchema>;
export type SentLog = NonNullable<LogPage["sent"]>;

/** The run has left the queue. */
const QUEUE_CODES = ["run_began", "run_ended"] as const satisfies readonly Code[];

export const RUN_ENDPOINTS = {
  runs: {
    ...ROUTES.runs,
    summary: "Lists runs, the newest first.",
    request: pageQuery.extend({ ...narrowing, status: z.enum(RUN_STATUSES).nullable().default(null) }),
    answer: listOf(runAlone),
    codes: ["bad_cursor", ...REPOSITORY_CODES],
  },
  run: {
    ...ROUTES.run,
    summary: "Shows a run.",
    request: nothing,
    answer: runAlone,
    codes: ["not_found", "ambiguous_id"],
  },
  changeQueued: {
    ...ROUTES.changeQueued,
    summary: "Changes the words of a run in the queue, or its place in the queue of its attempt.",
    request: queueChange,
    answer: runAlone,
    codes: [
      "not_found",
      "ambiguous_id",
      ...QUEUE_CODES,
      "words_fixed",
      "message_too_long",
      "no_such_position",
    ],
  },
  removeQueued: {
    ...ROUTES.removeQueued,
    summary: "Takes a run out of the queue; it ends as CANCELED, and keeps its words.",
    request: nothing,
    answer: runAlone,
    codes: ["not_found", "ambiguous_id", ...QUEUE_CODES, "begins_attempt"],
  },
  retry: {
    ...ROUTES.retry,
    summary: "Does an ended run again, or only its push, or only the checks.",
    request: retryRequest,
    answer: taskDocument,
    codes: [
      ...NEW_RUN_CODES,
      "run_not_ended",
      "nothing_to_push",
      "check_failed",
      "nothing_to_check",
      "checkout_not_clean",
    ],
  },
  resume: {
    ...ROUTES.resume,
    summary: "Lets a run that waits for its provider's limit try once at once.",
    request: nothing,
    answer: taskDocument,
    codes: ["not_found", "ambiguous_id", "run_not_limited"],
  },
  answer: {
    ...ROUTES.answer,
    summary: "Answers what the run asks a person; the first answer counts.",
    request: answerRequest,
    answer: taskDocument,
    codes: [
      "not_found",
      "ambiguous_id",
      "no_question",
      "question_changed",
      "already_answered",
      "answer_unfit",
    ],
  },
  answerRules: {
    ...ROUTES.answerRules,
    summary: "Lists what people allow from now on, the oldest first.",
    request: z.strictObject({ repository: text.nullable().default(null) }),
    answer: listOf(answerRule),
    codes: ["not_found", "ambiguous_id", "url_refused"],
  },
  removeAnswerRule: {
    ...ROUTES.removeAnswerRule,
    summary: "Removes such a rule: the next time a person is asked again.",
    request: nothing,
    answer: answerRule,
    codes: ["not_found", "ambiguous_id"],
  },
  runDiffFiles: {
    ...ROUTES.runDiffFiles,
    summary: "Lists in pages the files that a run changed.",
    request: ownDiffQuery,
    answer: diffFilesAnswer,
    codes: ["bad_cursor", "not_found", "no_tree", "changed_meanwhile", "git_failed"],
  },
  runDiff: {
    ...ROUTES.runDiff,
    summary: "Shows what a run changed; of one that works, what it changed so far.",
    request: ownDiffQuery,
    answer: diffAnswer,
    codes: ["not_found", "no_tree", "file_not_changed", "git_failed"],
  },
  runLines: {
    ...ROUTES.runLines,
    summary: "Sends lines of a file that a run changed, also those that the patch leaves out.",
    request: ownLinesQuery,
    answer: linesAnswer,
    codes: ["not_found", "no_tree", "file_not_changed", "git_failed"],
  },
  runPicture: {
    ...ROUTES.runPicture,
    summary: "Sends one side of a picture that a run changed.",
    request: ownPictureQuery,
    answer: z.string(),
    codes: ["not_found", "no_tree", "file_not_changed", "no_picture", "git_failed"],
  },
  restoreRun: {
    ...ROUTES.restoreRun,
    summary: "Puts the files of the attempt back to what the run left.",
    request: nothing,
    answer: operationAnswer,
    codes: [
      "not_found",
      "run_not_ended",
      "no_tree",
      "no_worktree",
      "held_elsewhere",
      "attempt_busy",
      "not_contained",
      "restore_failed",
    ],
  },
  followLog: {
    ...ROUTES.followLog,
    summary: "Streams the lines of a run's log until the run has ended.",
    request: z.strictObject({ after: wholeNumber.nullable().default(null) }),
    answer: logLineSchema,
    codes: ["not_found"],
  },
  log: {
    ...ROUTES.log,
    summary: "Shows a page of a run's log.",
    request: logQuery,
    answer: logPageSchema,
    codes: ["not_found"],
  },
} as const satisfies Endpoints;
