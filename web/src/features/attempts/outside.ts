/** Takes something out of the page: to the forge, or to the clipboard. */
import { cleanLine } from "@contract/text.ts";
import { sayNow } from "../../i18n/i18n.ts";
import { tell, tellProblem } from "../../ui/toast.tsx";
import type { AttemptCard } from "./cards.ts";
import { isWebAddress } from "./web-address.ts";

export function copyWords(text: string): Promise<void> {
  const told = () => tell({ title: sayNow("shell", "copied"), text: cleanLine(text).slice(0, 200) });
  return navigator.clipboard.writeText(text).then(told, tellProblem);
}

/** The forge has a page for it; an editor takes the path of the folder. */
export function openOutside({ attempt }: Pick<AttemptCard, "attempt">): void {
  const url = attempt.pull_request?.url ?? null;
  if (url === null || !isWebAddress(url)) void copyWords(attempt.worktree);
  else window.open(url, "_blank", "noreferrer");
}
