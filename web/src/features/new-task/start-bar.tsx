/** The bar below the form: the same task as a command, and the button that starts it. */
import { MessageSquare } from "lucide-react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { tell, tellProblem } from "../../ui/toast.tsx";
import { commandOf } from "./form.ts";
import type { TaskFormState } from "./use-task-form.ts";

export function StartBar(props: {
  readonly state: TaskFormState;
  readonly off: string | null;
  readonly busy: boolean;
  readonly onStart: () => void;
  readonly onKeep: () => void;
}) {
  const { t } = useTranslation("newTask");
  const { form, count } = props.state;
  return (
    <div className="flex min-h-[52px] flex-none items-center gap-3 border-t border-line bg-surface px-3.5 py-2">
      {count > 0 && (
        <span className="flex min-w-0 items-center gap-2 text-small text-ink-3 max-lg:hidden">
          <MessageSquare size={14} aria-hidden="true" className="flex-none" />
          {t("sameAs")}
          <code className="truncate text-ink-2">{commandOf(form, { short: true })}</code>
          <CopyButton text={commandOf(form, { short: false })} />
        </span>
      )}
      <span className="ml-auto" />
      <Button kind="quiet" className="max-sm:h-[46px]" asks="keepTaskDraft" onClick={props.onKeep}>
        {t("keepDraft")}
      </Button>
      <Button
        kind="primary"
        keySpec="mod+enter"
        className="max-sm:h-[46px]"
        off={props.off}
        busy={props.busy}
        onClick={props.onStart}
      >
        {count === 0 ? t("startNone") : t("start", { count })}
      </Button>
    </div>
  );
}

function CopyButton({ text }: { readonly text: string }) {
  const { t } = useTranslation("shell");
  return (
    <button
      type="button"
      className="text-accent hover:underline"
      onClick={() =>
        void navigator.clipboard.writeText(text).then(() => tell({ title: t("copied") }), tellProblem)
      }
    >
      {t("copy")}
    </button>
  );
}
