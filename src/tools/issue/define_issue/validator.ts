/** Checks the input of `define_issue` by the domain's value objects, so that one answer names every error. */
import type { Result } from "neverthrow";
import { z } from "zod";
import {
  createConstraintText,
  createContextText,
  createIssueText,
  type ValidationError,
} from "../../../domain/issue/issue-texts.ts";

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
