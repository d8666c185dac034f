/** Hands what git cannot take back alone to an agent, which a person chooses. */
import { useState } from "react";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { AgentSelect, useAgentChoice } from "../../attempts/agent-select.tsx";

export function RevertDialog(props: {
  readonly error: unknown;
  readonly repository: string;
  readonly first: string;
  readonly isBusy: boolean;
  readonly onAgent: (agent: string) => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation("landing");
  const [wanted, setWanted] = useState<string | null>(null);
  const choice = useAgentChoice(props.repository, { wanted, first: props.first });
  const { chosen } = choice;
  return (
    <Dialog open onClose={props.onClose} title={t("revertTitle")}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen !== null) props.onAgent(chosen);
        }}
      >
        <ProblemNote error={props.error} />
        <p className="text-ink-2">{t("revertText")}</p>
        <AgentSelect label={t("revertBy")} choice={choice} onChoose={setWanted} />
        <span className="flex justify-end gap-2">
          <Button kind="quiet" onClick={props.onClose}>
            {t("cancel")}
          </Button>
          <Button kind="primary" type="submit" busy={props.isBusy}>
            {t("agentResolves")}
          </Button>
        </span>
      </form>
    </Dialog>
  );
}
