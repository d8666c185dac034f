/** Tells what happened, for eight seconds, with the way back if there is one. */
import { lazy, Suspense, useSyncExternalStore } from "react";
import { problemOf } from "../data/api.ts";

export interface Telling {
  readonly title: string;
  readonly text?: string | undefined;
  readonly undo?: (() => void) | undefined;
  /** An act that the toast offers beside undo. */
  readonly act?: { readonly words: string; readonly run: () => void } | undefined;
  /** Of a problem. */
  readonly code?: string;
  readonly onClose?: () => void;
}

let lastUndo: { readonly telling: Telling; readonly undo: () => void } | null = null;
let isLoaded = false;
const listeners = new Set<() => void>();

export function tell(said: Omit<Telling, "code" | "onClose">): void {
  const undo = said.undo && onlyOnce(said.undo);
  const telling: Telling = {
    ...said,
    undo,
    onClose: () => {
      if (lastUndo?.telling === telling) lastUndo = null;
    },
  };
  if (undo !== undefined) lastUndo = { telling, undo };
  withToasts(({ show }) => show(telling));
}

/** The button stands for a moment after it is pressed. */
function onlyOnce(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}

/** A refused act is told at once, with what to do. */
export function tellProblem(error: unknown): void {
  const { message, remedy, code } = problemOf(error);
  withToasts(({ show }) => show({ title: message, text: remedy, code }));
}

/** Takes back what the newest toast told, as the key `z` does. False if there is nothing to take back. */
export function undoLast(): boolean {
  if (lastUndo === null) return false;
  const { telling, undo } = lastUndo;
  lastUndo = null;
  withToasts(({ close }) => close(telling));
  undo();
  return true;
}

type List = typeof import("./over/toast-list.tsx");

/** The first toast loads the list, if nothing did before. So a screen reader listens to it when something is told. */
export async function loadToasts(): Promise<List> {
  const list = await import("./over/toast-list.tsx");
  isLoaded = true;
  for (const listen of listeners) listen();
  return list;
}

/** Without a connection and without the list, the screen itself says that nothing is live. */
function withToasts(act: (list: List) => void): void {
  loadToasts().then(act, () => undefined);
}

const ToastList = lazy(async () => ({ default: (await loadToasts()).ToastList }));

export function Toasts() {
  const isShown = useSyncExternalStore(
    (listen) => {
      listeners.add(listen);
      return () => listeners.delete(listen);
    },
    () => isLoaded,
  );
  return isShown ? (
    <Suspense>
      <ToastList />
    </Suspense>
  ) : null;
}
