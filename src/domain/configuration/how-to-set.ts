/** Explains how to set a key at the right place: by a command, in a file or in a variable. */

import { variableFor } from "../task/task-settings.ts";
import { shellWord } from "../text/shell-word.ts";
import type { EffectiveConfiguration } from "./layers.ts";

export interface Settings extends EffectiveConfiguration {
  /** Files of the repository, which win over the file that the command writes. */
  readonly repositoryFiles: readonly string[];
}

/** Part of a sentence, without a full stop. */
export function howToSet(
  { sources, repositoryFiles }: Omit<Settings, "values">,
  key: string,
  value: string,
): string {
  const source = sources.get(key) ?? "";
  if (source === variableFor(key)) return `set ${source} to \`${value}\`, or unset it`;
  if (repositoryFiles.includes(source)) return `set \`${key}\` to \`${value}\` in ${source}`;
  return `\`tazuna config set ${key} ${shellWord(value)}\``;
}

/** With twice the present number. */
export function howToDouble(settings: Settings, key: string): string {
  const currentValue = key
    .split(".")
    .reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], settings.values);
  return howToSet(settings, key, String(2 * Number(currentValue)));
}
