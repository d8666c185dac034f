/** Checks what `define_issue` is given, by the value objects of the domain, so that one answer names all that is wrong. */
import type { Result } from "neverthrow";
import { z } from "zod";
import { createConstraintText } from "../../../domain/issue/constraint-text.ts";
import { createContextText } from "../../../domain/issue/context-text.ts";
import { createIssueText } from "../../../domain/issue/issue-text.ts";
import type { ValidationError } from "../../../domain/issue/validation-error.ts";

const textBy = (create: (value: unknown) => Result<string, ValidationError>) =>
  z.string().superRefine((text, context) => {
    create(text).mapErr(({ message }) => context.addIssue(message));
  });

export const defineIssueInput = z.strictObject({
  issue: textBy(createIssueText),
  context: textBy(createContextText),
  constraints: textBy(createConstraintText),
});

export const defineIssueOutput = z.strictObject({
  issue: z.string().describe("課題のタイトル"),
  context: z.string().describe("課題の背景情報"),
  constraints: z.string().describe("制約条件"),
  createdAt: z.string().describe("作成日時（ISO文字列）"),
});
