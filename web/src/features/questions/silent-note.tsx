/** Says that a working agent has said nothing for minutes, and what a person can do: look, ask it, or stop it. */
import type { RunDocument } from "@contract/task-document.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { useStop } from "../attempts/act.ts";
import { useSituation } from "../attempts/situation.ts";

export default function SilentNote(props: {
  readonly attempt: string;
  readonly run: RunDocument;
  readonly ms: number;
  readonly onLook: () => void;
  readonly onAsk: (words: string) => void;
}) {
  const { t } = useTranslation("questions");
  const { rest } = useFormat();
  const stop = useStop();
  const { situation } = useSituation(props.attempt);
  const processes = situation?.processes ?? null;
  return (
    <div role="status" className="callout family-needs flex-col gap-1.5!">
      <span>
        {t("silent", { time: rest(props.ms) })}
        {processes !== null && ` ${t("silentProcesses", { count: processes.length })}`}
      </span>
      <span className="flex flex-wrap gap-1.5">
        <Button size="small" onClick={props.onLook}>
          {t("lookAtProcesses")}
        </Button>
        <Button size="small" onClick={() => props.onAsk(t("areYouStuck"))}>
          {t("askIt")}
        </Button>
        <Button kind="quiet" size="small" onClick={() => stop.mutate({ type: "run", id: props.run.id })}>
          {t("stopIt")}
        </Button>
      </span>
    </div>
  );
}
