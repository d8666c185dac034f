/** The plan of an agent, in its newest state. */
import { ListChecks } from "lucide-react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { StateSign, VerdictSign } from "../../ui/state-sign.tsx";
import { Line } from "./line.tsx";
import type { PlanEntry } from "./log/read-line.ts";

export function PlanRow({ entries }: { readonly entries: readonly PlanEntry[] }) {
  const { t } = useTranslation("timeline");
  return (
    <Line
      icon={<ListChecks size={14} />}
      below={
        <ul className="flex flex-col gap-px">
          {entries.map(({ content, status }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an entry is its place, and two may say the same.
            <li key={index} className="flex items-start gap-1.5">
              <span className="mt-0.5">
                {status === "completed" ? (
                  <VerdictSign verdict="pass" />
                ) : (
                  <span className={status === "in_progress" ? "family-work" : "family-queue"}>
                    <StateSign sign={status === "in_progress" ? "ring-dot" : "ring-dashed"} />
                  </span>
                )}
              </span>
              <bdi className={status === "pending" ? "text-ink-3" : ""}>{content}</bdi>
              <span className="visually-hidden">{t(STATUS[status] ?? "planNext")}</span>
            </li>
          ))}
        </ul>
      }
    >
      <span className="text-ink-3">{t("plan")}</span>
    </Line>
  );
}

const STATUS: Readonly<Record<string, "planDone" | "planNow" | "planNext">> = {
  completed: "planDone",
  in_progress: "planNow",
  pending: "planNext",
};
