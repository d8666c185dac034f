/** Who allowed what the gate stopped, why, and what of it was taken back; it can be, while nothing came of it. */
import { cleanLine } from "@contract/text.ts";
import { useMutation } from "@tanstack/react-query";
import { answerOf, api } from "../../../data/api.ts";
import { useFormat } from "../../../i18n/format.ts";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import { Button } from "../../../ui/button.tsx";
import { tell, tellProblem } from "../../../ui/toast.tsx";
import type { GateRow } from "../facts.ts";

/** The name alone: the address is of no use here. */
const nameOf = (by: string | null) => cleanLine(by ?? "?").replace(/\s*<[^>]*>$/, "");

export function Allowed(props: {
  readonly row: GateRow;
  readonly attempt: string;
  readonly isWorking: boolean;
}) {
  const { t } = useTranslation("ship");
  const { t: a } = useTranslation("shipActs");
  const { clock } = useFormat();
  const { row, attempt, isWorking } = props;
  const { override, taken_back } = row;
  const takeBack = useTakeBack(attempt);
  return (
    <>
      {override !== null && (
        <p className="mt-0.5 flex flex-wrap items-center gap-x-2 rounded-[5px] bg-needs-soft px-2 py-[3px] text-ink-2">
          <span className="min-w-0 flex-1">
            <span className="text-ink-3">
              {override.at === null
                ? t("allowedByNow", { by: nameOf(override.by) })
                : t("allowedBy", { by: nameOf(override.by), time: clock(override.at) })}
            </span>{" "}
            <bdi>“{cleanLine(override.reason)}”</bdi>
          </span>
          {override.can_take_back && (
            <Button
              size="small"
              kind="quiet"
              busy={takeBack.isPending}
              off={isWorking ? t("whyWorking") : null}
              onClick={() => takeBack.mutate({ allow: [row.rule] })}
            >
              {a("takeBack")}
            </Button>
          )}
        </p>
      )}
      {taken_back.map((one) => (
        <p key={`${one.at} ${one.taken_back_at}`} className="mt-0.5 text-fine text-ink-3">
          {a("takenBack", {
            by: nameOf(one.by),
            time: clock(one.at),
            who: nameOf(one.taken_back_by),
            when: clock(one.taken_back_at),
          })}{" "}
          <bdi>“{cleanLine(one.reason)}”</bdi>
        </p>
      ))}
    </>
  );
}

export function useTakeBack(attempt: string) {
  const { t } = useTranslation("shipActs");
  return useMutation({
    mutationFn: (what: NonNullable<Parameters<typeof api.takeBack>[1]>) =>
      answerOf(api.takeBack(attempt, what)),
    onError: tellProblem,
    onSuccess: (_, { allow = [] }) => tell({ title: t(allow.length > 0 ? "isTakenBack" : "isTakenIn") }),
  });
}
