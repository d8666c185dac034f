/** The words of checks on the base. */
import { words } from "./words.ts";

export const checkWords = words(
  {
    runOnBase: "Run it on the base",
    runsOnBase: "Runs on the base",
    again: "Again",
    logOnBase: "Output of {{name}} on the base",
    base_passed: "It passes on the base: this attempt broke it.",
    base_failed: "It fails on the base too.",
    base_timed_out: "It takes too long on the base too.",
    base_not_run: "It could not be run on the base.",
  },
  {
    runOnBase: "基点で実行",
    runsOnBase: "基点で実行中",
    again: "もう一度",
    logOnBase: "基点での {{name}} の出力",
    base_passed: "基点では成功します。この試行が原因です。",
    base_failed: "基点でも失敗します。",
    base_timed_out: "基点でも時間切れになります。",
    base_not_run: "基点では実行できませんでした。",
  },
);
