/** Settings: agents, scripts to trust, this device. */
import { useTranslation } from "react-i18next";
import { Screen } from "../features/shell/screen.tsx";

export function SettingsRoute() {
  const { t } = useTranslation("shell");
  return <Screen title={t("settings")}>{null}</Screen>;
}
