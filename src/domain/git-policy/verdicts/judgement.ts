/** Collects the findings about the operands and values of a call. */
import { type Finding, type NamedPaths, NO_PATHS } from "./verdict.ts";

export interface Judgement extends NamedPaths {
  readonly findings: readonly Finding[];
}

export const NOTHING_TO_SAY: Judgement = { findings: [], ...NO_PATHS };

/** Joins the judgements of several rules. */
export function together(...judgements: readonly Judgement[]): Judgement {
  return {
    findings: judgements.flatMap(({ findings }) => findings),
    paths: judgements.flatMap(({ paths }) => paths),
    newPaths: judgements.flatMap(({ newPaths }) => newPaths),
    pathsFromTop: judgements.flatMap(({ pathsFromTop }) => pathsFromTop),
  };
}

/** Joins the judgements of each text. */
export function each(texts: readonly string[], judge: (text: string) => Judgement): Judgement {
  return together(...texts.map(judge));
}

/** A judgement with these findings, if there are any. */
export function saying(...findings: readonly (Finding | null | false)[]): Judgement {
  return { findings: findings.filter((finding) => finding !== null && finding !== false), ...NO_PATHS };
}
