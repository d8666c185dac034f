/** What happens with the selected attempts, as a sentence and a button. */
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { useMoveToTrash } from "../storage/acts.ts";
import { useSelection } from "./selection.tsx";

export default function SelectionBar() {
  const { t } = useTranslation("storage");
  const { chosen, clear, remove } = useSelection();
  const move = useMoveToTrash(remove);
  const count = chosen.size;
  return (
    <div className="flex flex-none flex-wrap items-center gap-2 border-t border-line bg-surface px-3.5 py-2.5">
      <p className="min-w-0 flex-1 text-ink-2">{t("moveTells", { count })}</p>
      <Button kind="quiet" keySpec="escape" onClick={clear}>
        {t("clearSelection")}
      </Button>
      <Button
        kind="primary"
        keySpec="mod+backspace"
        data-act="move_selection"
        busy={move.isPending}
        onClick={() => move.mutate([...chosen])}
      >
        {t("move", { count })}
      </Button>
    </div>
  );
}
