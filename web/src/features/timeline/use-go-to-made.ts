/** Goes to the attempt that a dialog made, unless its person closed the dialog or is elsewhere by then. */
import type { AttemptDocument } from "@contract/task-document.ts";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { tell } from "../../ui/toast.tsx";
import { useShown } from "../../ui/use-shown.ts";

/** Gets the attempts of the task as they are then. */
export function useGoToMade(onClose: () => void): (attempts: readonly AttemptDocument[]) => void {
  const { t } = useTranslation("timeline");
  const navigate = useNavigate();
  const isShown = useShown();
  return (attempts) => {
    if (!isShown()) return tell({ title: t("begun") });
    onClose();
    const made = attempts.toSorted((one, other) => one.number - other.number).at(-1);
    if (made !== undefined) void navigate({ to: "/attempts/$id", params: { id: made.id } });
  };
}
