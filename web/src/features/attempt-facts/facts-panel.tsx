/** The right side of an attempt: what is known of it, and why something is not. */
import type { AttemptCard } from "../attempts/cards.ts";
import { OverlapSection, ProcessesSection } from "./around-section.tsx";
import { AttemptSection, BranchSection } from "./attempt-section.tsx";
import { ChecksSection, PullRequestSection } from "./checks-section.tsx";
import { CostSection } from "./cost-section.tsx";

export function FactsPanel({ shown }: { readonly shown: AttemptCard }) {
  const works = shown.attempt.runs.some(({ status }) => status === "RUNNING");
  return (
    <>
      <AttemptSection shown={shown} />
      <BranchSection shown={shown} />
      <ChecksSection shown={shown} />
      <PullRequestSection shown={shown} />
      <CostSection shown={shown} />
      <ProcessesSection attempt={shown.attempt.id} works={works} />
      <OverlapSection attempt={shown.attempt.id} />
    </>
  );
}
