/** Ship: the gate, the message, the pull request, the merge. */
import { useTranslation } from "react-i18next";
import { Screen } from "../features/shell/screen.tsx";

export function ShipRoute() {
  const { t } = useTranslation("shell");
  return <Screen title={t("ship")}>{null}</Screen>;
}
