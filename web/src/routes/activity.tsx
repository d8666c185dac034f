/** Activity: every act on git and worktrees, and the way back. */
import { useTranslation } from "react-i18next";
import { Screen } from "../features/shell/screen.tsx";

export function ActivityRoute() {
  const { t } = useTranslation("shell");
  return <Screen title={t("activity")}>{null}</Screen>;
}
