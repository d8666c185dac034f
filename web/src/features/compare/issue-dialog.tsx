/** Shows what the task asks for: its issue, its context and its constraints. */

import type { TaskDocument } from "@contract/task-document.ts";
import { cleanText } from "@contract/text.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Dialog } from "../../ui/dialog.tsx";

export function IssueDialog(props: {
  readonly task: TaskDocument["task"];
  readonly open: boolean;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation("compare");
  const { issue, context, constraints } = props.task;
  const parts = [
    { name: t("issue"), text: issue },
    { name: t("context"), text: context },
    { name: t("constraints"), text: constraints },
  ];
  return (
    <Dialog open={props.open} onClose={props.onClose} title={t("issue")} wide>
      <dl className="flex flex-col gap-3">
        {parts.map(({ name, text }) =>
          text === null || text.trim() === "" ? null : (
            <div key={name}>
              <dt className="text-small font-medium text-ink-2">{name}</dt>
              <dd className="whitespace-pre-wrap break-words">
                <bdi>{cleanText(text)}</bdi>
              </dd>
            </div>
          ),
        )}
      </dl>
    </Dialog>
  );
}
