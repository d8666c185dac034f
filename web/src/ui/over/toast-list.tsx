/** What was told, over the page, until its time is over. */
import { Toast } from "@base-ui/react/toast";
import { useEffect } from "react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../button.tsx";
import type { Telling } from "../toast.tsx";

const LIFE_MS = 8_000;
const manager = Toast.createToastManager();
const shown = new Map<Telling, string>();
/** What was told before there was a list; null once there is one. */
let early: Telling[] | null = [];

export function show(telling: Telling): void {
  if (early !== null) {
    early.push(telling);
    return;
  }
  const id = manager.add({
    title: telling.title,
    description: telling.text,
    timeout: LIFE_MS,
    priority: telling.code === undefined ? "low" : "high",
    data: telling,
    onClose: () => {
      shown.delete(telling);
      telling.onClose?.();
    },
  });
  shown.set(telling, id);
}

export function close(telling: Telling): void {
  manager.close(shown.get(telling));
}

export function ToastList() {
  // This comes after the effects of the provider, which then listens to the manager.
  useEffect(() => {
    const waiting = early ?? [];
    early = null;
    for (const telling of waiting) show(telling);
  }, []);
  return (
    <Toast.Provider toastManager={manager} limit={4}>
      <Toast.Portal>
        <Toast.Viewport className="fixed left-1/2 bottom-[96px] z-50 flex w-96 max-w-[calc(100vw-2rem)] -translate-x-1/2 flex-col-reverse gap-2">
          <Toasts />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Toasts() {
  const { t } = useTranslation("shell");
  const { toasts } = Toast.useToastManager<Telling>();
  return toasts.map((toast) => {
    const { undo, act, code } = toast.data ?? {};
    return (
      <Toast.Root
        key={toast.id}
        toast={toast}
        className="appears rounded-card border border-line bg-raised p-3 shadow-3"
      >
        <div className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <Toast.Title className="text-body font-medium" />
            <Toast.Description className="text-small text-ink-2" />
            {code !== undefined && <code className="text-fine text-ink-3">{code}</code>}
          </div>
          {act !== undefined && (
            <Button size="small" onClick={act.run}>
              {act.words}
            </Button>
          )}
          {undo !== undefined && (
            <Button
              size="small"
              keySpec="z"
              onClick={() => {
                manager.close(toast.id);
                undo();
              }}
            >
              {t("undo")}
            </Button>
          )}
        </div>
      </Toast.Root>
    );
  });
}
