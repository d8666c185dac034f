/** Compare: the attempts of a task side by side, and the choice with its reason. */
import { useTranslation } from "react-i18next";
import { Screen } from "../features/shell/screen.tsx";

export function CompareRoute() {
  const { t } = useTranslation("shell");
  return <Screen title={t("compare")}>{null}</Screen>;
}
