/** Judges a call that was split by its table: options by risk, values by kind, operands by the table's rule. */
import { remoteJudgement, repositoryPathJudgement } from "../kinds/repositories.ts";
import type { OptionSpec } from "../parse/option-spec.ts";
import type { GitCall, GivenOption } from "../parse/parse-call.ts";
import type { CommandTable } from "../table/command-table.ts";
import { type Place, pathFinding } from "../table/place.ts";
import { type Judgement, joinJudgements, judgementOf, NO_FINDINGS } from "../verdicts/judgement.ts";
import { destroys, type Finding, type Nature, NO_PATHS, never } from "../verdicts/verdict.ts";

interface JudgedCall {
  readonly findings: readonly Finding[];
  readonly nature: Nature;
}

export function judgeCall(call: GitCall, table: CommandTable, place: Place): JudgedCall {
  const judged = joinJudgements(
    ...call.options.map((option) => judgeOption(option, place)),
    table.judge?.(call, place) ?? NO_FINDINGS,
    judgementOf(table.loses !== undefined && destroys(`git ${call.subcommand}`, table.loses)),
  );
  const findings = isDryRun(call)
    ? judged.findings.filter(({ verdict }) => verdict === "never")
    : judged.findings;
  const { paths, newPaths, pathsFromTop } = judged;
  return { findings, nature: { ...natureOf(call, table), paths, newPaths, pathsFromTop } };
}

function natureOf(call: GitCall, table: CommandTable): Nature {
  const writes =
    (table.tier === "write" && table.readsWhen?.(call) !== true) ||
    call.options.some(({ spec }) => isWriting(spec)) ||
    table.writesWhen?.(call) === true;
  return { tier: writes ? "write" : "read", network: table.network?.(call) ?? false, ...NO_PATHS };
}

function isWriting({ effect }: OptionSpec): boolean {
  return effect === "writes" || (typeof effect === "object" && effect.risk === "destructive");
}

/** A dry run does not count if `--no-dry-run` is given too, in any order. */
function isDryRun({ options }: GitCall): boolean {
  const asked = options.find(({ spec }) => spec.effect === "dry-run");
  return asked !== undefined && !options.some(({ spec }) => spec.negated && spec.id === asked.spec.id);
}

function judgeOption({ given, spec, value }: GivenOption, place: Place): Judgement {
  const { effect, kind } = spec;
  if (typeof effect === "object")
    return judgementOf(
      effect.risk === "destructive" ? destroys(given, effect.why) : never(given, effect.why),
    );
  if (value === null || kind === "text") return NO_FINDINGS;
  if (kind === "remote") return remoteJudgement(given, value, place);
  if (kind === "repository-path") return repositoryPathJudgement(given, value, place);
  if (kind === "path" || kind === "path-from-top") return judgePath(given, value, { kind, place });
  return judgementOf(
    !kind.includes(value) &&
      never(`${given} ${value}`, {
        rule: "option.value",
        because: "is not allowed here",
        instead: `Use one of: ${kind.join(", ")}.`,
      }),
  );
}

/** `-` is standard input, not a file. */
function judgePath(
  given: string,
  value: string,
  { kind, place }: { readonly kind: "path" | "path-from-top"; readonly place: Place },
): Judgement {
  if (value === "-") return NO_FINDINGS;
  const pathsFromTop = kind === "path-from-top" ? [value] : [];
  return { ...judgementOf(pathFinding(place, given, value)), paths: [value], pathsFromTop };
}
