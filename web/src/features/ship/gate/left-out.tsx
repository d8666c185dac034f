/** Files that a person leaves out of the attempt's commits: leaving them out, and letting them in again. */
import type { Client } from "@contract/client/client.ts";
import { cleanLine } from "@contract/text.ts";
import { useMutation } from "@tanstack/react-query";
import { answerOf, api, once } from "../../../data/api.ts";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import { Button } from "../../../ui/button.tsx";
import { VerdictSign } from "../../../ui/state-sign.tsx";
import { tell, tellProblem } from "../../../ui/toast.tsx";
import { TwoPressButton, useTwoPress } from "../../../ui/two-press.tsx";
import type { GateRow } from "../facts.ts";
import { useTakeBack } from "./allowed.tsx";

type Gate = Extract<Awaited<ReturnType<Client["gate"]>>, { readonly value: unknown }>["value"];
export type LeftOutFile = Gate["left_out"][number];

/** The gate reads the rest at once, which is pushed; the file stays in the worktree as it is. */
export function LeaveOut(props: {
  readonly row: GateRow;
  readonly attempt: string;
  readonly isWorking: boolean;
}) {
  const { t } = useTranslation("ship");
  const { t: a } = useTranslation("shipActs");
  const { row, attempt, isWorking } = props;
  const paths = [...new Set(row.findings.flatMap(({ path }) => (path === null ? [] : [path])))];
  const leave = useMutation({
    mutationFn: () => answerOf(api.publish(attempt, { leave_out: paths }, once())),
    onError: tellProblem,
    onSuccess: () => tell({ title: a("leavingOut", { count: paths.length }) }),
  });
  const twice = useTwoPress(() => leave.mutate());
  if (paths.length === 0) return null;
  return (
    <TwoPressButton
      size="small"
      kind="quiet"
      data-act="leave_out"
      busy={leave.isPending}
      off={isWorking ? t("whyWorking") : null}
      title={paths.map(cleanLine).join("\n")}
      words={a("leaveOut", { count: paths.length })}
      {...twice}
    />
  );
}

export function LeftOutList(props: {
  readonly files: readonly LeftOutFile[];
  readonly attempt: string;
  readonly isWorking: boolean;
}) {
  const { t } = useTranslation("ship");
  const { t: a } = useTranslation("shipActs");
  const takeIn = useTakeBack(props.attempt);
  return (
    <ul>
      {props.files.map(({ path, by }) => (
        <li key={path} className="flex flex-wrap items-center gap-2 py-1 text-small">
          <VerdictSign verdict="skipped" />
          <span className="min-w-0 flex-1">
            <bdi className="font-mono text-fine">{cleanLine(path)}</bdi>{" "}
            <span className="text-ink-3">
              {a("leftOut", { by: cleanLine(by ?? "?").replace(/\s*<[^>]*>$/, "") })}
            </span>
          </span>
          <Button
            size="small"
            kind="quiet"
            busy={takeIn.isPending}
            off={props.isWorking ? t("whyWorking") : null}
            onClick={() => takeIn.mutate({ leave_out: [path] })}
          >
            {a("takeIn")}
          </Button>
        </li>
      ))}
    </ul>
  );
}
