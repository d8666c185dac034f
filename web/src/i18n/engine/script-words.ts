/** The words about scripts of a repository that wait for a person's trust. */
import { words } from "../words.ts";

export const scriptWords = words(
  {
    untrusted_one: "{{count}} script is new or changed since you trusted the others.",
    untrusted_other: "{{count}} scripts are new or changed since you trusted the others.",
    readAndTrust: "Read and trust",
    title: "Scripts of {{repository}}",
    text: "These run on this machine, in the sandbox of an attempt, as part of every task on this repository. They come from the repository itself.",
    trust: "Trust these scripts",
    notNow: "Not now",
    trustedDone_one: "{{count}} script trusted",
    trustedDone_other: "{{count}} scripts trusted",
    isTrusted: "trusted",
    isNew: "not trusted yet",
    isNow: "now:",
    wasBefore: "trusted before:",
  },
  {
    untrusted_other: "信頼したあとに追加・変更されたスクリプトが {{count}} 件あります。",
    readAndTrust: "読んで信頼する",
    title: "{{repository}} のスクリプト",
    text: "このリポジトリのタスクごとに、このコンピューターの、試行のサンドボックスで実行されます。内容はリポジトリ由来です。",
    trust: "このスクリプトを信頼する",
    notNow: "今はしない",
    trustedDone_other: "スクリプト {{count}} 件を信頼しました",
    isTrusted: "信頼済み",
    isNew: "未信頼",
    isNow: "現在:",
    wasBefore: "以前に信頼した内容:",
  },
);
