/** Writes how long a step took: `0.3 s`, `48.2 s`, `9 m 41 s`. */
import { usePreferences } from "../../data/preferences.ts";

export function useDuration(): (ms: number) => string {
  const { language } = usePreferences();
  return (ms) => durationText(ms, language);
}

function durationText(ms: number, language: "en" | "ja"): string {
  const [second, minute, hour] = language === "ja" ? ["秒", "分", "時間"] : ["s", "m", "h"];
  if (ms < 60_000) return `${(Math.max(0, ms) / 1000).toFixed(1)} ${second}`;
  const seconds = Math.round(ms / 1000);
  const two = (value: number) => String(value).padStart(2, "0");
  if (seconds < 3600) return `${Math.floor(seconds / 60)} ${minute} ${two(seconds % 60)} ${second}`;
  return `${Math.floor(seconds / 3600)} ${hour} ${two(Math.floor((seconds % 3600) / 60))} ${minute}`;
}
