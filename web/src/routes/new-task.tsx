/** New task, a form: the issue, who works on it, and what will happen. */
import { useTranslation } from "react-i18next";
import { Screen } from "../features/shell/screen.tsx";

export function NewTaskRoute() {
  const { t } = useTranslation("shell");
  return <Screen title={t("newTask")}>{null}</Screen>;
}
