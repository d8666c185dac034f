/** Collects the findings about the operands and values of a call. */
import { type Finding, type NamedPaths, NO_PATHS } from "./verdict.ts";

export interface Judgement extends NamedPaths {
  readonly findings: readonly Finding[];
}

export const NO_FINDINGS: Judgement = { findings: [], ...NO_PATHS };

/** Joins the judgements of several rules. */
export function joinJudgements(...judgements: readonly Judgement[]): Judgement {
  return {
    findings: judgements.flatMap(({ findings }) => findings),
    paths: judgements.flatMap(({ paths }) => paths),
    newPaths: judgements.flatMap(({ newPaths }) => newPaths),
    pathsFromTop: judgements.flatMap(({ pathsFromTop }) => pathsFromTop),
  };
}

/** Joins the judgements of each text. */
export function judgeEach(texts: readonly string[], judge: (text: string) => Judgement): Judgement {
  return joinJudgements(...texts.map(judge));
}

/** A judgement with these findings; null and false are left out. */
export function judgementOf(...findings: readonly (Finding | null | false)[]): Judgement {
  return { findings: findings.filter((finding) => finding !== null && finding !== false), ...NO_PATHS };
}
