/** Storage: what lies on the disk, and why it may or may not go. */
import { useTranslation } from "react-i18next";
import { Screen } from "../features/shell/screen.tsx";

export function StorageRoute() {
  const { t } = useTranslation("shell");
  return <Screen title={t("storage")}>{null}</Screen>;
}
