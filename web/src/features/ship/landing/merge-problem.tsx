/** Says why a merge was refused, with the command to run, and the way that reaches a checkout. */
import { cleanText } from "@contract/text.ts";
import { problemOf } from "../../../data/api.ts";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import { Button } from "../../../ui/button.tsx";
import { CodeText } from "../../../ui/code-text.tsx";
import { CopyText } from "../../../ui/copy-text.tsx";
import { StateSign } from "../../../ui/state-sign.tsx";

export function MergeProblem(props: {
  readonly error: unknown;
  /** Merges in the checkout that holds the target. */
  readonly onHere: () => void;
  /** Merges the base into the branch, and leaves the conflicts to the agent. */
  readonly onResolve: () => void;
  readonly isBusy: boolean;
}) {
  const { t } = useTranslation("landing");
  const { message, remedy, code } = problemOf(props.error);
  const command = commandIn(remedy);
  return (
    <div role="alert" className="callout family-fail mx-3.5 mb-2 flex-none flex-wrap">
      <span className="mt-0.5">
        <StateSign sign="square-cross" />
      </span>
      <div className="min-w-0 flex-1">
        <p className="font-medium text-ink">
          <CodeText text={message} />
        </p>
        <p className="text-ink-2">
          <CodeText text={remedy} />
        </p>
        {command !== null && (
          <p className="text-ink-2">
            {t("runThis")} <CopyText text={command} />
          </p>
        )}
        <code className="text-fine text-ink-3">{code}</code>
      </div>
      {code === "merge_conflict" && (
        <Button size="small" onClick={props.onResolve}>
          {t("agentResolves")}
        </Button>
      )}
      {code === "target_checked_out" && (
        <Button size="small" busy={props.isBusy} onClick={props.onHere}>
          {t("mergeHere")}
        </Button>
      )}
    </div>
  );
}

/** The first command of git in a remedy, which marks commands with backquotes. */
function commandIn(remedy: string): string | null {
  return (
    cleanText(remedy)
      .split("`")
      .find((part, index) => index % 2 === 1 && part.startsWith("git ")) ?? null
  );
}
