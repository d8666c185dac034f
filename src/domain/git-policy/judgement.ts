/** Collects what is to be said of the operands and values of a call. */
import type { Finding } from "./verdict.ts";

export interface Judgement {
  readonly findings: readonly Finding[];
  /** Operands and values that name files or folders, as given. */
  readonly paths: readonly string[];
}

export const NOTHING_TO_SAY: Judgement = { findings: [], paths: [] };

/** Joins what several rules say. */
export function together(...judgements: readonly Judgement[]): Judgement {
  return {
    findings: judgements.flatMap(({ findings }) => findings),
    paths: judgements.flatMap(({ paths }) => paths),
  };
}

/** A judgement of these findings, where there are any. */
export function saying(...findings: readonly (Finding | null | false)[]): Judgement {
  return { findings: findings.filter((finding) => finding !== null && finding !== false), paths: [] };
}
