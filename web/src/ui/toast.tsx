/** Tells what happened, for eight seconds, with the way back if there is one. */
import { Toast } from "@base-ui/react/toast";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { problemOf } from "../data/api.ts";
import { Button } from "./button.tsx";

const LIFE_MS = 8_000;
const manager = Toast.createToastManager();

interface Telling {
  readonly title: string;
  readonly text?: string;
  readonly undo?: (() => void) | undefined;
  /** An act that the toast offers beside undo. */
  readonly act?: { readonly words: string; readonly run: () => void } | undefined;
}

let lastUndo: { readonly id: string; readonly undo: () => void } | null = null;

export function tell({ title, text, undo, act }: Telling): void {
  const id: string = manager.add({
    title,
    description: text,
    timeout: LIFE_MS,
    data: { undo, act },
    onClose: () => {
      if (lastUndo?.id === id) lastUndo = null;
    },
  });
  if (undo !== undefined) lastUndo = { id, undo };
}

/** A refused act is told at once, with what to do. */
export function tellProblem(error: unknown): void {
  const { message, remedy, code } = problemOf(error);
  manager.add({ title: message, description: remedy, timeout: LIFE_MS, priority: "high", data: { code } });
}

/** Takes back what the newest toast told, as the key `z` does. False if there is nothing to take back. */
export function undoLast(): boolean {
  if (lastUndo === null) return false;
  const { id, undo } = lastUndo;
  manager.close(id);
  undo();
  return true;
}

export function Toasts({ children }: { readonly children: ReactNode }) {
  return (
    <Toast.Provider toastManager={manager} limit={4}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="fixed left-1/2 bottom-[96px] z-50 flex w-96 max-w-[calc(100vw-2rem)] -translate-x-1/2 flex-col-reverse gap-2">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  const { t } = useTranslation("shell");
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => {
    const { undo, act, code } = (toast.data ?? {}) as Telling & { readonly code?: string };
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
