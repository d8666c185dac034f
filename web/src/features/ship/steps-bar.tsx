/** The six steps on the way out, as facts: each says how it stands, and leads to its panel. */
import type { AttemptDocument } from "@contract/task-document.ts";
import type { ReactNode } from "react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { StateSign, VerdictSign } from "../../ui/state-sign.tsx";
import { isLongSubject, type ShipFacts } from "./facts.ts";
import { goToStep, type StepId } from "./panel.tsx";

interface Of {
  readonly attempt: AttemptDocument;
  readonly facts: ShipFacts;
  /** The first line of the commit message. */
  readonly subject: string | null;
  readonly isGateKnown: boolean;
}

export function StepsBar(props: Of) {
  const { t } = useTranslation("ship");
  return (
    <ol
      aria-label={t("steps")}
      className="grid flex-none grid-cols-6 border-b border-line max-lg:grid-cols-3 max-sm:grid-cols-2"
    >
      <Step step="gate" title={t("stepGate")} {...gateStep(props, t)} />
      <Step step="checks" title={t("stepChecks")} {...checksStep(props, t)} />
      <Step
        step="message"
        title={t("stepMessage")}
        sign={
          props.subject === null ? (
            WAITS
          ) : (
            <VerdictSign verdict={isLongSubject(props.subject) ? "over" : "pass"} />
          )
        }
        words={props.subject === null ? t("notYet") : t("chars", { count: [...props.subject].length })}
      />
      <Step step="push" title={t("stepPush")} {...pushStep(props, t)} />
      <Step step="pull" title={t("stepPull")} {...pullStep(props, t)} />
      <Step step="merge" title={t("stepMerge")} {...mergeStep(props, t)} />
    </ol>
  );
}

function Step(props: {
  readonly step: StepId;
  readonly title: string;
  readonly sign: ReactNode;
  readonly words: string;
}) {
  return (
    <li className="border-r border-line last:border-r-0 max-lg:border-b">
      <button
        type="button"
        onClick={() => goToStep(props.step)}
        className="-outline-offset-2 flex w-full items-start gap-2 px-3.5 py-[9px] text-left hover:bg-hover"
      >
        <span className="mt-0.5">{props.sign}</span>
        <span className="min-w-0">
          <span className="block text-small font-semibold">{props.title}</span>
          <span className="block truncate text-fine text-ink-3">{props.words}</span>
        </span>
      </button>
    </li>
  );
}

type Translate = ReturnType<typeof useTranslation<"ship">>["t"];
type Shown = { readonly sign: ReactNode; readonly words: string };

const state = (family: string, sign: Parameters<typeof StateSign>[0]["sign"]) => (
  <span className={`family-${family}`}>
    <StateSign sign={sign} size={15} />
  </span>
);
const WAITS = state("queue", "ring-dashed");
const WORKS = state("work", "ring-dot");
const FAILED = state("fail", "square-cross");
const DONE = state("ready", "disc-tick");

function gateStep({ facts, isGateKnown }: Of, t: Translate): Shown {
  const count = (verdict: string) => facts.rules.filter((row) => row.verdict === verdict).length;
  const [rejected, overridden, passed] = [count("reject"), count("overridden"), count("pass")];
  if (!isGateKnown || facts.rules.every(({ verdict }) => verdict === "not_run"))
    return { sign: WAITS, words: t("gateNotRun") };
  if (rejected > 0) return { sign: FAILED, words: t("gateRejected", { count: rejected }) };
  if (overridden > 0)
    return {
      sign: <VerdictSign verdict="over" />,
      words: `${t("gatePassed", { count: passed })}, ${t("gateOverridden", { count: overridden })}`,
    };
  return { sign: <VerdictSign verdict="pass" />, words: t("gatePassed", { count: passed }) };
}

function checksStep({ facts: { checks, allowedChecks } }: Of, t: Translate): Shown {
  if (checks.length === 0) return { sign: WAITS, words: t("noChecks") };
  const passed = checks.filter((check) => check.passed).length;
  const failed = checks.filter((check) => !check.passed && check.required);
  const isAllowed = failed.every(({ name }) => allowedChecks.includes(name));
  const sign = failed.length === 0 ? "pass" : isAllowed ? "over" : null;
  return {
    sign: sign === null ? FAILED : <VerdictSign verdict={sign} />,
    words: t("checksPassed", { passed, all: checks.length }),
  };
}

function pushStep({ facts: { pushed, commit, isWorking } }: Of, t: Translate): Shown {
  if (pushed === "pushed") return { sign: DONE, words: t("pushedTo", { commit: commit?.slice(0, 7) ?? "" }) };
  if (pushed === "failed") return { sign: FAILED, words: t("pushFailed") };
  if (isWorking) return { sign: WORKS, words: t("notYet") };
  return pushed === "held"
    ? { sign: state("queue", "disc-node"), words: t("pushHeld") }
    : { sign: WAITS, words: t("noCommit") };
}

function pullStep({ attempt: { pull_request: pull } }: Of, t: Translate): Shown {
  if (pull === null) return { sign: WAITS, words: t("pullNone") };
  if (pull.number === null) return { sign: WORKS, words: t("pullWaits") };
  const word = pull.draft && pull.state === "open" ? "draft" : (pull.state ?? "open");
  const words = t("pullNumber", { number: pull.number, state: t(`pull_${word}`) });
  if (pull.state === "merged") return { sign: DONE, words };
  if (pull.failed_checks.length > 0 || pull.mergeable === false) return { sign: FAILED, words };
  if (pull.pending_checks.length > 0) return { sign: WORKS, words };
  return { sign: pull.state === "closed" ? WAITS : DONE, words };
}

function mergeStep({ attempt, facts: { blocks } }: Of, t: Translate): Shown {
  if (attempt.merged !== null)
    return { sign: DONE, words: t("mergeDone", { target: attempt.merged.target }) };
  if (blocks.length === 0) return { sign: state("ready", "disc-arrow"), words: t("mergeReady") };
  return { sign: WAITS, words: t("mergeWaits", { count: blocks.length }) };
}
